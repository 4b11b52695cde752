// Reports in a real browser: node report_test.mjs FOLDER KORE fits several tables with the command, opens their reports and compares
// what-if with `kore predict`. Exit status 0: all is well, 1: something is not, 77: there is no browser to test with.
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {drawsWhereOneLooks, eventually, expect, inBrowser, look, open, print, printsByItself} from './looking.mjs';

const [folder, kore] = process.argv.slice(2);
rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const place = (name) => path.join(folder, name);
const run = (...words) => execFileSync(kore, words, {cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});

/** Numbers in [0, 1), always the same ones (mulberry32). */
function numbers(seed) {
  return () => {
    seed = (seed + 0x6D2B79F5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
const quoted = (value) => value === null ? '' : typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value);
function writeCsv(name, rows) {
  const columns = Object.keys(rows[0]);
  const lines = [columns.map(quoted), ...rows.map((row) => columns.map((column) => quoted(row[column])))];
  writeFileSync(place(name), lines.map((line) => line.join(',')).join('\n') + '\n');
}

const DAY = 86400000;
const date = (days) => new Date(days * DAY).toISOString().slice(0, 10);
const hostile = ['</script><script>alert(1)</script>', 'a "quoted" & <b>bold</b> name', '😀 emoji', 'very long '.repeat(20).trim(), "it's"];

/** A table as people have them: gaps, dates, yes and no, a category with 60 levels of which some are rare, and a triple. */
function flats(count, seed) {
  const random = numbers(seed);
  return Array.from({length: count}, (_, i) => {
    const [a, b, c, size] = [random(), random(), random(), 20 + 130 * random()];
    const town = Math.floor(60 * random() ** 2);
    const built = 5000 + Math.floor(14000 * random());
    const balcony = random() < 0.5;
    return {
      size: i % 9 === 8 ? null : size, a, b, c, town: i % 31 === 30 ? null : `town ${town} <i>`, built: date(built), balcony: String(balcony),
      rent: 5 + size / 20 + 8 * (a - 0.5) * (b - 0.5) * 4 * (c - 0.5) + (town % 5) + built / 9000 + (balcony ? 1 : 0) +
          Math.sin(size / 15) + 0.2 * random(),
    };
  });
}

/** Rows that ask everything of a prediction: gaps, levels nobody has seen, values far outside. */
function trials(rows, target, seed) {
  const random = numbers(seed);
  return rows.slice(0, 40).map((row, i) => {
    const trial = {...row};
    delete trial[target];
    for (const [name, value] of Object.entries(trial)) {
      if (i % 4 === 1 && random() < 0.4) trial[name] = null;
      else if (i % 4 === 2 && typeof value === 'number') trial[name] = value + (random() - 0.5) * 300;
      else if (i % 4 === 3 && name === 'town') trial[name] = 'nobody lives here';
      else if (i % 4 === 2 && name === 'built') trial[name] = date(30000);
    }
    return trial;
  });
}

function predictions(model, rows, intervals = true) {
  writeCsv('trials.csv', rows);
  const text = run('predict', model, 'trials.csv', ...(intervals ? ['--interval', '0.9'] : []), '--quiet');
  return text.trim().split('\n').slice(1).map((line) => line.split(',').map(Number));
}

/** A row as the page's model takes it: dates as days, yes and no (or true and false) as 1 and 0. */
const answers = {balcony: 'true', smoker: 'yes'};
const asModelRow = (row) => Object.fromEntries(Object.entries(row).map(([name, value]) =>
  [name, value === null ? null : name === 'built' ? Date.parse(value) / DAY : Object.hasOwn(answers, name) ? Number(value === answers[name]) : value]));

const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));

async function comparesWithPredict({page, where}, model, rows, intervals = true) {
  const expected = predictions(model, rows, intervals);
  // As a text: the browser's driver loses a column named __proto__ of an object.
  const found = await page.evaluate((all) => {
    const model = koreModel(JSON.parse(document.getElementById('kore-model').textContent));
    return JSON.parse(all).map((row) => {
      const {prediction, constant, terms, sum} = model.explain(row);
      const {lower, upper} = model.interval(0.9, prediction, model.widening(row)) ?? {lower: null, upper: null};
      return [prediction, lower, upper, terms.reduce((total, term) => total + term.value, constant), sum];
    });
  }, JSON.stringify(rows.map(asModelRow)));
  expected.forEach((numbers, i) => {
    for (const [k, value] of numbers.entries())
      expect(near(found[i][k], value), `${where}: row ${i}: ${found[i][k]} instead of ${value} of kore predict`);
    expect((found[i][1] !== null) === intervals, `${where}: row ${i} ${intervals ? 'has no' : 'has an'} interval`);
    expect(near(found[i][3], found[i][4]), `${where}: row ${i}: the terms add up to ${found[i][3]}, not to ${found[i][4]}`);
  });
}

/** Of each row alone, what the page warns of and what `kore predict` does: columns by the kind of warning. */
async function warnsAsPredict({page, where}, model, rows) {
  const found = await page.evaluate((all) => {
    const model = koreModel(JSON.parse(document.getElementById('kore-model').textContent));
    return JSON.parse(all).map((row) => ({far: model.far(row), told: model.warnings(row)}));
  }, JSON.stringify(rows.map(asModelRow)));
  const kinds = new Set();
  rows.forEach((row, i) => {
    writeCsv('one.csv', [row]);
    const said = spawnSync(kore, ['predict', model, 'one.csv'], {cwd: folder, encoding: 'utf8'}).stderr;
    const columns = (pattern) => [...said.matchAll(pattern)].map((match) => match[1]).sort().join(', ');
    const told = (words) => found[i].told.filter((text) => text.includes(words)).map((text) => text.slice(0, text.indexOf(': '))).sort().join(', ');
    const compare = (kind, here, there) => {
      if (there !== '') kinds.add(kind);
      expect(here === there, `${where}: row ${i}: ${kind}: '${here}', and kore predict says '${there}'`);
    };
    const outside = /outside the training range.*/s.exec(said)?.[0] ?? '';
    compare('outside', [...found[i].far].sort().join(', '), [...outside.matchAll(/1 in '(.*?)' \(training had/g)].map((match) => match[1]).sort().join(', '));
    compare('level', told('a level that training did not have'), columns(/Column '(.*?)': 1 row with a level/g));
    compare('gap', told('training had no row without a value'), columns(/Column '(.*?)': 1 row without a value, though/g));
    for (const end of ['predicted as "(other)"', 'predicted with the median of training'])
      expect(said.includes(end) === found[i].told.join().includes(end), `${where}: row ${i}: only one says '${end}'`);
  });
  expect(kinds.size === 3, `${where}: rows to warn of have only ${[...kinds]}`);
}

/** Effects below half a percent are folded away, and no others. */
async function foldsSmallEffects({page, where}) {
  const shares = await page.locator('#effects .panel').evaluateAll((all) => all.map((each) => ({
    share: Number(/\((-?[\d.]+)\s%\)/.exec(each.querySelector('h3, h4').textContent)[1]), folded: each.closest('details.fold') !== null})));
  expect(shares.some(({folded}) => folded) && shares.some(({folded}) => !folded), `${where}: all effects are folded away, or none`);
  for (const {share, folded} of shares) expect(folded ? Math.abs(share) <= 0.5 : Math.abs(share) > 0.1, `${where}: ${share} % is ${folded ? '' : 'not '}folded away`);
}

/** Uses the controls as a person does, and compares what is shown. */
async function triesControls({page, where}, model) {
  const legend = (name) => page.locator('.control', {has: page.locator('legend', {hasText: new RegExp(`^${name}$`)})});
  await page.locator('details.more').evaluateAll((all) => all.forEach((fold) => { fold.open = true; }));
  const row = {size: 61.5, a: 0.25, b: 0.75, c: 5, town: 'town 3 <i>', built: '1999-05-17', balcony: 'true'};
  for (const name of ['size', 'a', 'b', 'c']) await legend(name).locator('input[type=number]').fill(String(row[name]));
  await legend('built').locator('input[type=date]').fill(row.built);
  await legend('town').locator('select').selectOption({label: row.town});
  await legend('balcony').locator('select').selectOption({label: 'true'});
  const shown = async () => Number(await page.locator('.prediction').getAttribute('data-value'));
  const compare = async (what) => {
    const [[prediction, lower, upper]] = predictions(model, [row]);
    expect(near(await shown(), prediction), `${where}: ${what}: ${await shown()} shown instead of ${prediction}`);
    const ends = await page.locator('.range').evaluate((range) => [Number(range.dataset.lower), Number(range.dataset.upper)]);
    expect(near(ends[0], lower) && near(ends[1], upper), `${where}: ${what}: interval ${ends} instead of ${lower} to ${upper}`);
  };
  await compare('controls');
  expect((await page.locator('.warning').textContent()).includes('c'), `${where}: 5 is outside the range of c, and nobody says so`);
  await legend('size').locator('input[type=checkbox]').check();
  row.size = null;
  await compare('without a size');
  await legend('b').locator('input[type=range]').focus();
  await page.keyboard.press('End');
  expect(await page.locator('.waterfall tr').count() >= 9, `${where}: the waterfall lacks terms`);
  expect(await shown() !== predictions(model, [row])[0][0], `${where}: the keyboard does not move a slider`);
}

/** Starts from rows of the table, empties a field, resets. */
async function startsFromRows({page, where}, model, rows) {
  const shown = async () => Number(await page.locator('.prediction').getAttribute('data-value'));
  const start = await shown();
  const options = await page.locator('.picker option').evaluateAll((all) => all.map((each) => [each.value, each.textContent]));
  expect(options.length >= 25, `${where}: only ${options.length} rows to start from`);
  for (const [value, text] of [options[1], options[options.length - 1]]) {
    await page.locator('.picker select').selectOption(value);
    const number = Number(/row ([\d,]+)/.exec(text)[1].replaceAll(',', ''));
    const row = {...rows[number - 1]};
    delete row.rent;
    const [[prediction]] = predictions(model, [row]);
    expect(near(await shown(), prediction), `${where}: row ${number}: ${await shown()} shown instead of ${prediction}`);
    expect((await page.locator('.origin').textContent()).includes('observed'), `${where}: what was observed is not said`);
  }
  const control = page.locator('.control', {has: page.locator('legend', {hasText: /^a$/})});
  const before = await shown();
  await control.locator('input[type=number]').fill('');
  expect(await control.locator('input[type=checkbox]').isChecked(), `${where}: an emptied field has a value`);
  expect(await shown() !== before, `${where}: an emptied field keeps the prediction of the old value`);
  expect(/training had no row without a value/.test(await page.locator('.warning').textContent()), `${where}: no warning of a gap that training did not have`);
  await control.locator('input[type=number]').fill('0.5');
  expect(!await control.locator('input[type=checkbox]').isChecked(), `${where}: a number does not end the gap`);
  await page.locator('.picker button').click();
  expect(await shown() === start, `${where}: reset does not bring the first prediction back`);
}

/** Controls are large enough for fingers. */
async function canBeTouched({page, where}) {
  const small = await page.evaluate(() => [...document.querySelectorAll('input, select, button, summary, .bar a')].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width > 0 && (box.height < 23.5 || box.width < 23.5);
  }).map((each) => each.outerHTML.slice(0, 80)));
  expect(small.length === 0, `${where}: smaller than 24 px: ${small.slice(0, 3).join(' ')}`);
}

/** A surface has its signs, which can be told apart without colours. */
async function hasSigns({page, where}, surfaces) {
  const texts = await page.locator('#interactions .chart').evaluateAll((all) => all.map((each) => [...each.querySelectorAll('svg text')].map((text) => text.textContent)));
  const signed = texts.filter((all) => all.includes('+') || all.includes('−'));
  expect(signed.length === surfaces, `${where}: ${signed.length} of ${surfaces} surfaces have signs`);
}

async function searches({page, where}, word, most) {
  const visible = () => page.locator('#effects .panel:visible').count();
  const before = await visible();
  await page.keyboard.press('/');
  await page.keyboard.type(word);
  const after = await visible();
  expect(after >= 1 && after <= most && after < before, `${where}: searching for ${word} shows ${after} of ${before} effects`);
  expect(/\d+ effect/.test(await page.locator('#found').textContent()), `${where}: how many were found is not said`);
  await page.locator('#search').fill('');
  expect(await visible() === before, `${where}: an empty search does not show all again`);
}

const table = flats(700, 1);
writeCsv('flats.csv', table);
run('fit', 'flats.csv', '-t', 'rent', '--max-levels', '50', '-o', 'flats.kore', '-q', '--report', 'flats.html');
run('fit', 'flats.csv', '-t', 'rent', '--profile', 'paper', '--structure', 'additive', '-o', 'paper.kore', '-q', '--report', 'paper.html');

// Ten features of which all pairs matter: more surfaces than a report draws.
const random = numbers(2);
const pairs = Array.from({length: 1100}, () => Object.fromEntries([...Array(10).keys()].map((j) => [`p${j}`, random()])));
for (const row of pairs) {
  const centred = Object.values(row).map((value) => value - 0.5);
  row.y = centred.reduce((sum, a, i) => sum + centred.slice(i + 1).reduce((part, b) => part + a * b, 0), 0.1 * random());
}
writeCsv('pairs.csv', pairs);
run('fit', 'pairs.csv', '-t', 'y', '--profile', 'paper', '--structure', 'pairwise', '--max-g-pairwise', '1', '-o', 'pairs.kore', '-q', '--report', 'pairs.html');

// Eighty features, some with names that would be markup.
const wide = Array.from({length: 500}, () => Object.fromEntries(
  [...Array(80).keys()].map((j) => [j < hostile.length ? hostile[j] : `feature ${j}`, random()])));
for (const row of wide) row['<target>'] = Math.sin(5 * row[hostile[0]]) + row['feature 7'] + 0.1 * random();
writeCsv('wide.csv', wide);
run('fit', 'wide.csv', '-t', '<target>', '--structure', 'additive', '-o', 'wide.kore', '-q', '--report', 'wide.html');

// A number whose single values matter, and a curve that another number switches.
const special = Array.from({length: 24}, () => random() - 0.5);
const hours = Array.from({length: 900}, () => ({hour: Math.floor(24 * random()), u: random(), v: random()}));
for (const row of hours) row.y = Math.sin(row.hour / 4) + 3 * special[row.hour] + 6 * (row.u - 0.5) * Math.sin(6 * row.v) + 0.5 * random();
writeCsv('hours.csv', hours);
run('fit', 'hours.csv', '-t', 'y', '-o', 'hours.kore', '-q', '--report', 'hours.html');

// A product with errors that grow with it: fitted as its logarithm.
const sales = Array.from({length: 600}, () => ({u: random(), v: random()}));
for (const row of sales) row.y = Math.exp(1 + 2 * row.u + Math.sin(5 * row.v) + 0.6 * (random() + random() - 1));
writeCsv('sales.csv', sales);
run('fit', 'sales.csv', '-t', 'y', '--scale', 'log', '-o', 'sales.kore', '-q', '--report', 'sales.html');

// Yes and no, counts, and counts over exposures.
const loans = Array.from({length: 500}, () => ({income: random(), months: 12 * Math.ceil(5 * random()), purpose: random() < 0.3 ? 'travel' : 'car'}));
for (const row of loans) row.outcome = random() < 1 / (1 + Math.exp(4 * row.income - row.months / 20 - (row.purpose === 'car' ? 0 : 1))) ? 'lost' : 'paid';
writeCsv('loans.csv', loans);
run('fit', 'loans.csv', '-t', 'outcome', '-o', 'loans.kore', '-q', '--report', 'loans.html');
const poisson = (mean) => {
  let count = 0;
  for (let left = random(); left > Math.exp(-mean); left *= random()) ++count;
  return count;
};
const drivers = Array.from({length: 600}, () => ({age: 18 + 60 * random(), power: 40 + 160 * random(), years: 0.1 + random()}));
for (const row of drivers) row.claims = poisson(row.years * Math.exp(Math.cos(row.age / 10) + row.power / 200));
writeCsv('drivers.csv', drivers);
run('fit', 'drivers.csv', '-t', 'claims', '--exposure', 'years', '-o', 'drivers.kore', '-q', '--report', 'drivers.html');
const visits = drivers.map(({age, power}) => ({age, power, visits: poisson(Math.exp(1 + Math.sin(age / 10) + power / 200))}));
writeCsv('visits.csv', visits);
run('fit', 'visits.csv', '-t', 'visits', '--family', 'poisson', '-o', 'visits.kore', '-q', '--report', 'visits.html');

const three = Array.from({length: 200}, () => ({u: random(), v: random(), w: random()}));
for (const row of three) row.y = Math.sin(6 * row.u) + row.v + 0.1 * random();
writeCsv('three.csv', three);
run('fit', 'three.csv', '-t', 'y', '--pairs', 'none', '-o', 'three.kore', '-q');
run('report', 'three.kore', '-o', 'three.html', '-q');

// Hours of the day, which begin again.
const day = Array.from({length: 600}, () => ({hour: Math.floor(24 * random()), wind: 360 * random(), x: random()}));
for (const row of day) row.y = Math.sin(row.hour / 24 * 2 * Math.PI) + (row.x - 0.5) * Math.cos(row.wind / 180 * Math.PI) * 3 + 0.2 * random();
writeCsv('day.csv', day);
run('fit', 'day.csv', '-t', 'y', '--cyclic', 'hour,wind:360', '-o', 'day.kore', '-q', '--report', 'day.html');

// Names that every object has in JavaScript, whole numbers, years, and one row far outside of all others.
const odd = Array.from({length: 400}, (_, i) => ({constructor: random(), ['__proto__']: random(), children: Math.floor(5 * random()),
  year: 1980 + Math.floor(40 * random()), weight: i === 17 ? 5000 : 50 + 40 * random(), smoker: random() < 0.4 ? 'yes' : 'no'}));
for (const row of odd) row.cost = 3 * row.constructor + row['__proto__'] ** 2 + row.children / 2 + (row.year - 1980) / 20 + Math.min(row.weight, 90) / 30 + (row.smoker === 'yes' ? 2 : 0) + 0.3 * random();
writeCsv('odd.csv', odd);
run('fit', 'odd.csv', '-t', 'cost', '-o', 'odd.kore', '-q', '--report', 'odd.html');

await inBrowser(async (browser) => {
  const visit = async (name, width, colorScheme, tests) => {
    const opened = await open(browser, place(`${name}.html`), width, colorScheme);
    await look(opened, undefined, width);
    await tests?.(opened);
    await opened.close();
  };
  const json = (name) => JSON.parse(/id="kore-model">(.*?)<\/script>/s.exec(readFileSync(place(`${name}.html`), 'utf8'))[1]);
  expect(json('flats').terms.some((term) => term.features.length === 3), 'the model of the flats has no triple to test');
  expect(json('flats').columns.some((column) => column.rare.length > 0), 'the model of the flats has no rare levels to test');
  await visit('flats', 1280, 'light', async (opened) => {
    await comparesWithPredict(opened, 'flats.kore', trials(table, 'rent', 3));
    const row = Object.fromEntries(Object.entries(table[0]).filter(([name]) => name !== 'rent'));
    await warnsAsPredict(opened, 'flats.kore', [row, {...row, a: 1.05}, {...row, a: 1.05, b: 1.5}, {...row, a: null}, {...row, size: null, b: -3},
      {...row, town: 'nobody lives here'}, {...row, town: null}, {...row, built: date(30000)}, {...row, built: date(19001)}]);
    await searches(opened, 'size', 3);
    await startsFromRows(opened, 'flats.kore', table);
    await triesControls(opened, 'flats.kore');
  });
  await print(browser, place('flats.html'));
  await visit('flats', 390, 'dark', async (opened) => {
    await canBeTouched(opened);
    await opened.page.locator('.control').last().scrollIntoViewIfNeeded();
    expect(await opened.page.locator('.prediction').isVisible() && await opened.page.locator('.prediction').evaluate((each) => {
      const box = each.getBoundingClientRect();
      return box.top >= 0 && box.bottom <= window.innerHeight;
    }), `${opened.where}: the prediction scrolls away`);
  });
  await visit('odd', 1280, 'light', async (opened) => {
    await comparesWithPredict(opened, 'odd.kore', trials(odd, 'cost', 12));
    const terms = await opened.page.locator('#effects h3, #effects h4').allTextContents();
    expect(terms.some((text) => text.startsWith('constructor')), `${opened.where}: no effect of constructor among ${terms}`);
    const choices = await opened.page.locator('.control', {has: opened.page.locator('legend', {hasText: /^smoker$/})}).locator('option').allTextContents();
    expect(choices[0] === 'no' && choices[1] === 'yes', `${opened.where}: the table says yes and no, and the page ${choices}`);
    const labels = await opened.page.locator('#effects svg text').allTextContents();
    expect(labels.includes('yes') && labels.includes('no'), `${opened.where}: no bars of yes and no`);
    expect(labels.includes('2000') && !labels.includes('2,000'), `${opened.where}: years have commas`);
    const weight = opened.page.locator('#effects .panel', {has: opened.page.locator('h3, h4', {hasText: /^weight/})});
    const axis = async () => (await weight.locator('svg text').allTextContents()).join(' ');
    expect(!/[2-5],000/.test(await axis()), `${opened.where}: one far row stretches the axis: ${await axis()}`);
    await weight.locator('input[type=checkbox]').check();
    await eventually(async () => /[2-5],000/.test(await axis()), async () => `${opened.where}: the far row cannot be reached: ${await axis()}`);
    const steps = (name) => opened.page.locator('.control', {has: opened.page.locator('legend', {hasText: new RegExp(`^${name}$`)})})
        .locator('input[type=range], input[type=number]').evaluateAll((all) => all.map((each) => each.step).join());
    expect(await steps('children') === '1,1', `${opened.where}: parts of children: ${await steps('children')}`);
    expect(await steps('weight') === 'any,any', `${opened.where}: steps of weight: ${await steps('weight')}`);
  });
  await visit('paper', 1280, 'dark', (opened) => comparesWithPredict(opened, 'paper.kore', trials(table, 'rent', 4)));
  await visit('pairs', 1280, 'light', async (opened) => {
    await comparesWithPredict(opened, 'pairs.kore', trials(pairs, 'y', 5));
    expect(await opened.page.locator('#interactions .panel').count() === 40, `${opened.where}: not 40 surfaces`);
    await hasSigns(opened, 40);
  });
  await visit('wide', 390, 'light', async (opened) => {
    await comparesWithPredict(opened, 'wide.kore', trials(wide, '<target>', 6));
    await canBeTouched(opened);
    await foldsSmallEffects(opened);
    await searches(opened, 'emoji', 2);
    for (const name of hostile)
      expect(await opened.page.locator('.control legend').evaluateAll((all, text) => all.some((each) => each.textContent === text), name),
             `${opened.where}: no control is named ${name}`);
  });
  await drawsWhereOneLooks(browser, place('wide.html'));
  const reads = (argument) => json('hours').terms.some((term) => term.bases.some((basis) => basis.argument === argument));
  expect(reads('place') && reads('plain'), 'the model of the hours has no single values or no lines to test');
  await visit('hours', 1280, 'light', (opened) => comparesWithPredict(opened, 'hours.kore', trials(hours, 'y', 7)));
  await visit('day', 1280, 'light', (opened) => comparesWithPredict(opened, 'day.kore', trials(day, 'y', 13)));
  await visit('sales', 1280, 'light', (opened) => comparesWithPredict(opened, 'sales.kore', trials(sales, 'y', 8)));
  const panels = async (opened) => (await opened.page.locator('#calibration .panel h4, #calibration .panel h3').allTextContents()).join(', ');
  await visit('loans', 1280, 'light', async (opened) => {
    await comparesWithPredict(opened, 'loans.kore', trials(loans, 'outcome', 9), false);
    expect((await opened.page.locator('.answer .label').textContent()) === 'Probability that outcome is paid', `${opened.where}: the probability of what?`);
    expect(await opened.page.locator('.answer .level').count() === 0, `${opened.where}: a choice of intervals that there are none of`);
    expect(/ROC/.test(await panels(opened)), `${opened.where}: no ROC among ${await panels(opened)}`);
    expect(/^[\d.]+ %$/.test(await opened.page.locator('.prediction').textContent()), `${opened.where}: a probability is no percentage`);
    const written = await opened.page.evaluate(() => {
      const {readable} = koreModel(JSON.parse(document.getElementById('kore-model').textContent));
      return [0, 1e-9, 0.00004, 0.0123, 0.4567, 0.9997, 1 - 1e-9, 1].map(readable).join(', ');
    });
    expect(written === '0 %, < 0.001 %, 0.004 %, 1.2 %, 45.7 %, 99.97 %, > 99.999 %, 100 %', `${opened.where}: probabilities are written as ${written}`);
    expect(/^prediction \([\d.]+ %\)$/.test(await opened.page.locator('.waterfall tr').last().locator('th').textContent()),
           `${opened.where}: the last line of the log odds does not say which probability they are`);
  });
  await visit('loans', 390, 'dark', canBeTouched);
  printsByItself(place('loans.html'), 200);
  await visit('visits', 1280, 'light', async (opened) => {
    await comparesWithPredict(opened, 'visits.kore', trials(visits, 'visits', 10));
    expect(/Rootogram/.test(await panels(opened)), `${opened.where}: no rootogram among ${await panels(opened)}`);
  });
  // Without exposures in the table, the command predicts rates as the page does.
  await visit('drivers', 1280, 'dark', (opened) => comparesWithPredict(opened, 'drivers.kore',
    trials(drivers.map(({age, power, claims}) => ({age, power, claims})), 'claims', 11), false));
  await visit('three', 390, 'dark');
});
