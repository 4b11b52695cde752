// @ts-check
/// <reference path="./model.js" />
// The panel that tries the model: a control for every column, the prediction with its interval, and the terms it adds up from.
(() => {
  'use strict';

  const MILLISECONDS_PER_DAY = 86400000;
  const MOST_SHOWN = 8;  // controls before the fold
  const MOST_BARS = 12;
  const place = document.getElementById('what-if');
  const block = document.getElementById('kore-model');
  if (!place || !block) return;
  const model = koreModel(JSON.parse(block.textContent ?? 'null'));
  const {columns, features} = model.json;
  /** Without a prototype: a column may be called `constructor`. @type {Row} */
  const row = Object.create(null);
  for (const column of columns) row[column.name] = column.start;
  /** What shows a new value of a column, by the column's name. @type {Map<string, (value: number | string | null) => void>} */
  const showers = new Map();

  /** An element with text, never markup.
   * @template {keyof HTMLElementTagNameMap} K
   * @param {K} tag @param {Record<string, string>} [attributes] @param {(Node | string)[]} [children]
   * @returns {HTMLElementTagNameMap[K]} */
  function make(tag, attributes = {}, children = []) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const {readable} = model;

  /** @param {Column} column @returns {Feature | undefined} */
  const numericFeature = (column) =>
    features.find((feature) => columns[feature.column] === column && feature.kind === 'numeric');

  /** A list of choices; `choose` gets the value of the chosen one.
   * @param {string} label @param {{text: string, value: string | number | null}[]} choices @param {string | number | null} start
   * @param {(value: string | number | null) => void} choose */
  function choice(label, choices, start, choose) {
    const select = make('select', {'aria-label': label}, choices.map(({text}) => make('option', {}, [text])));
    const show = (/** @type {string | number | null} */ wanted) => {
      select.selectedIndex = Math.max(0, choices.findIndex(({value}) => value === wanted));
    };
    show(start);
    select.addEventListener('change', () => choose(choices[select.selectedIndex].value));
    return {select, show};
  }

  /** The same for a column of the row.
   * @param {Column} column @param {{text: string, value: string | number | null}[]} choices */
  function columnChoice(column, choices) {
    const {select, show} = choice(column.name, choices, column.start, (value) => update(column, value));
    showers.set(column.name, show);
    return [select];
  }

  /** @param {Column} column */
  function categoryControl(column) {
    const choices = column.levels.map((level) => ({text: level, value: /** @type {string | null} */ (level)}));
    choices.push({text: '(no value)', value: null});
    let unseen = '(another level)';
    while (column.levels.includes(unseen) || column.rare.includes(unseen)) unseen += ' ';
    choices.push({text: unseen, value: unseen});
    return columnChoice(column, choices);
  }

  /** @param {Column} column */
  function booleanControl(column) {
    const [no, yes] = column.words ?? ['false', 'true'];
    const choices = [{text: no, value: 0}, {text: yes, value: 1}, {text: '(no value)', value: null}];
    return columnChoice(column, choices);
  }

  /** A slider over the training range and a field for any value; both show the same.
   * @param {Column} column */
  function numberControl(column) {
    const feature = numericFeature(column);
    const lowest = feature?.lowest ?? 0;
    const highest = feature?.highest ?? 1;
    const dated = column.kind === 'date' || column.kind === 'timestamp';
    const slider = make('input', {type: 'range', min: String(lowest), max: String(highest), step: column.whole ? '1' : 'any', 'aria-label': `${column.name}, slider`});
    const field = make('input', {type: column.kind === 'date' ? 'date' : dated ? 'datetime-local' : 'number', 'aria-label': column.name});
    if (!dated) field.step = column.whole ? '1' : 'any';
    const gap = make('input', {type: 'checkbox'});
    const show = (/** @type {number | string | null} */ value) => {
      gap.checked = value === null;
      slider.disabled = gap.checked;
      if (typeof value !== 'number') {
        field.value = '';
        return;
      }
      slider.value = String(value);
      if (dated) field.value = new Date(value * MILLISECONDS_PER_DAY).toISOString().slice(0, column.kind === 'date' ? 10 : 16);
      else field.value = String(column.whole ? value : Number(value.toPrecision(5)));
    };
    /** The last value, for a reader who takes "no value" back. */
    let last = typeof column.start === 'number' ? column.start : column.median;
    const take = (/** @type {number | null} */ value) => {
      if (value !== null) last = value;
      update(column, value);
    };
    slider.addEventListener('input', () => { show(slider.valueAsNumber); take(slider.valueAsNumber); });
    field.addEventListener('input', () => {
      // A field without a number has no value, and not the one of before.
      const typed = dated ? field.valueAsNumber / MILLISECONDS_PER_DAY : field.valueAsNumber;
      const empty = Number.isNaN(typed);
      gap.checked = slider.disabled = empty;
      if (!empty) slider.value = String(typed);
      take(empty ? null : typed);
    });
    gap.addEventListener('change', () => {
      const value = gap.checked ? null : last;
      show(value);
      take(value);
    });
    show(column.start);
    showers.set(column.name, show);
    return [slider, field, make('label', {class: 'gap'}, [gap, ' no value'])];
  }

  /** @param {Column} column */
  function control(column) {
    const parts = column.kind === 'category' ? categoryControl(column) :
        column.kind === 'boolean' ? booleanControl(column) : numberControl(column);
    return make('fieldset', {class: 'control', 'data-names': column.name}, [make('legend', {title: column.name}, [column.name]), ...parts]);
  }

  /** One line of the waterfall: where the sum stood, and where it stands now.
   * @param {string} name @param {string} kind @param {number} from @param {number} to @param {(value: number) => number} share
   * @param {string} text */
  function bar(name, kind, from, to, share, text) {
    const left = share(Math.min(from, to));
    const filled = make('div', {class: `fill ${kind}`});
    filled.style.left = `${100 * left}%`;
    filled.style.width = `${Math.max(0.4, 100 * (share(Math.max(from, to)) - left))}%`;
    return make('tr', {class: kind}, [
      make('th', {scope: 'row', title: name}, [name]),
      make('td', {class: 'track'}, [filled]),
      make('td', {class: 'number'}, [text]),
    ]);
  }

  const scaleWords = {identity: '', sqrt: ', on the scale of its square root', log: ', on the scale of its logarithm'};
  const linkWords = {identity: '', logit: ', on the scale of the log odds', log: ', on the scale of its logarithm'};

  /** @param {{prediction: number, constant: number, terms: {name: string, value: number}[], sum: number}} made */
  function waterfall(made) {
    const sorted = [...made.terms].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const shown = sorted.slice(0, MOST_BARS);
    const rest = sorted.slice(MOST_BARS);
    if (rest.length > 0)
      shown.push({name: `${rest.length} other terms`, value: rest.reduce((sum, term) => sum + term.value, 0)});
    const sums = [made.constant];
    for (const term of shown) sums.push(sums[sums.length - 1] + term.value);
    const low = Math.min(...sums);
    const high = Math.max(...sums);
    const share = (/** @type {number} */ value) => high > low ? (value - low) / (high - low) : 0.5;
    // All terms with the same digits, three of the largest, so that they can be added up by eye.
    const digits = high > low ? Math.min(Math.max(2 - Math.floor(Math.log10(high - low)), 0), 12) : 3;
    const plain = (/** @type {number} */ value) =>
      value.toLocaleString('en', {minimumFractionDigits: digits, maximumFractionDigits: digits}).replace('-', '−');
    const signed = (/** @type {number} */ value) => {
      const size = plain(Math.abs(value));
      return (Number(size) === 0 ? '' : value < 0 ? '−' : '+') + size;  // nothing is neither less nor more
    };
    const otherScale = model.json.scale !== 'identity' || model.json.link !== 'identity';
    const body = make('tbody', {}, [
      bar('mean of all rows', 'total', made.constant, made.constant, share, plain(made.constant)),
      ...shown.map((term, i) => bar(term.name, term.value < 0 ? 'down' : 'up', sums[i], sums[i + 1], share, signed(term.value))),
      bar(otherScale ? `prediction (${readable(made.prediction)})` : 'prediction', 'total', made.sum, made.sum, share, plain(made.sum)),
    ]);
    return make('table', {class: 'waterfall'}, [
      make('caption', {}, [`From the mean to the prediction, term by term${scaleWords[model.json.scale]}${linkWords[model.json.link]}`]), body]);
  }

  const value = make('output', {class: 'prediction', 'aria-live': 'polite'});
  const range = make('p', {class: 'range'});
  const warning = make('p', {class: 'warning', role: 'status'});
  const chart = make('div', {class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'What the prediction is made of'});
  const origin = make('p', {class: 'origin', role: 'status'});
  let level = 0.9;

  function refresh() {
    const made = model.explain(row);
    value.textContent = readable(made.prediction);
    value.dataset.value = String(made.prediction);
    const ends = model.interval(level, made.prediction, model.widening(row));
    range.textContent = ends && Number.isFinite(made.prediction) ?
        `${Math.round(100 * level)} % interval: ${readable(ends.lower)} to ${readable(ends.upper)}` : '';
    range.dataset.lower = ends ? String(ends.lower) : '';
    range.dataset.upper = ends ? String(ends.upper) : '';
    const far = model.far(row);
    const told = model.warnings(row);
    if (far.length > 0) told.unshift(`Outside the training range: ${far.join(', ')}. A prediction there is a guess.`);
    warning.replaceChildren(...told.map((text) => make('span', {}, [text])));
    chart.replaceChildren(waterfall(made));
  }

  /** @param {Column} column @param {number | string | null} to */
  function update(column, to) {
    row[column.name] = to;
    origin.textContent = '';
    refresh();
  }

  /** Shows all values of a row. @param {(column: Column, place: number) => number | string | null} valueOf */
  function load(valueOf) {
    columns.forEach((column, place) => {
      row[column.name] = valueOf(column, place);
      showers.get(column.name)?.(row[column.name]);
    });
    refresh();
  }

  /** A target as the table has it. @param {number} target */
  const observed = (target) => model.json.link === 'logit' && (target === 0 || target === 1) ?
      model.json.target_levels[target] ?? String(target) : readable(target);

  /** Rows of the table to start from: those with the largest errors, and some of all. */
  function picker() {
    const {rows, target} = model.json;
    const group = (/** @type {string} */ label, /** @type {boolean} */ large) =>
      make('optgroup', {label}, rows.flatMap((each, place) => each.large === large ?
          [make('option', {value: String(place)}, [`row ${each.row.toLocaleString('en')}: ${target || 'target'} ${observed(each.observed)}, predicted ${readable(each.predicted)}`])] : []));
    const select = make('select', {'aria-label': 'Start from a row of the table'}, [
      make('option', {value: ''}, ['Start from a row of the table…']), group('The largest errors', true), group('Rows from the whole table', false)]);
    select.addEventListener('change', () => {
      if (select.value === '') return;
      const chosen = rows[Number(select.value)];
      load((_, place) => chosen.values[place]);
      origin.textContent = `Row ${chosen.row.toLocaleString('en')} of the table: observed ${observed(chosen.observed)}` +
          `, predicted without it ${readable(chosen.predicted)}.`;
    });
    const reset = make('button', {type: 'button'}, ['Reset']);
    reset.addEventListener('click', () => {
      select.value = '';
      origin.textContent = '';
      load((column) => column.start);
    });
    return make('div', {class: 'picker'}, rows.length > 0 ? [select, reset] : [reset]);
  }

  const ranked = [...columns].sort((a, b) => b.share - a.share);
  const first = make('div', {class: 'controls'}, ranked.slice(0, MOST_SHOWN).map(control));
  const later = ranked.slice(MOST_SHOWN).map(control);
  const left = make('div', {class: 'inputs'}, [picker(), first]);
  if (later.length > 0)
    left.append(make('details', {class: 'more'}, [
      make('summary', {}, [`${later.length} more, which matter less`]), make('div', {class: 'controls'}, later),
    ]));
  const levels = [0.5, 0.8, 0.9, 0.95, 0.99].map((share) => ({text: `${Math.round(100 * share)} %`, value: share}));
  /** What the number says: a mean, a rate, or the probability of yes. */
  function label() {
    const {target, link, target_levels: names, exposure} = model.json;
    if (link === 'logit') return `Probability${target ? ` that ${target} is ${names[1] ?? '1'}` : ''}`;
    return `Prediction${target ? ` of ${target}` : ''}${exposure ? ` per unit of ${exposure}` : ''}`;
  }
  const head = make('div', {class: 'answer'}, [make('p', {class: 'label'}, [label()]), value, range]);
  if (model.json.intervals)
    head.append(make('p', {class: 'level'}, ['Interval ', choice('Level of the interval', levels, level, (chosen) => {
      level = Number(chosen);
      refresh();
    }).select]));
  head.append(origin, warning);
  place.replaceChildren(left, make('div', {class: 'result'}, [head, chart]));
  refresh();
})();
