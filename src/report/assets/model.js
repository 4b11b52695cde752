// @ts-check
// Evaluates a fitted model from the JSON in the page as `kore predict` does. The engine's sources are the reference:
// src/basis/basis.cpp (basis functions and extrapolation), src/basis/warp.cpp, src/table/encoder.cpp (how columns become
// features), src/model/predict.cpp and src/model/intervals.cpp.
'use strict';

/**
 * @typedef {{first: number, last: number, intervals: number, degree: number, constant: boolean,
 *   argument: 'warped' | 'plain' | 'place' | 'around'}} Basis
 * @typedef {{name: string, effect: number, features: number[], bases: Basis[], coefficients: number[]}} Term
 * @typedef {{kind: 'numeric' | 'indicator' | 'missing_flag' | 'category', column: number, level: number, lowest: number,
 *   highest: number, spread: boolean, widening: number, warp: {nodes: number[], values: number[]} | null,
 *   repeated: number[]}} Feature
 * @typedef {{name: string, kind: 'number' | 'boolean' | 'date' | 'timestamp' | 'category', median: number, levels: string[],
 *   words: [string, string] | null, rare: string[], has_other: boolean, has_missing: boolean, missing_share: number, whole: boolean, years: boolean,
 *   start: number | string | null, share: number}} Column
 * @typedef {{row: number, observed: number, predicted: number, large: boolean, values: (number | string | null)[]}} SampleRow
 * @typedef {{target: string, extrapolation: 'polynomial' | 'linear' | 'constant' | 'error', intercept: number, n: number,
 *   limits: {lowest: number | null, highest: number | null}, scale: 'identity' | 'sqrt' | 'log',
 *   mean_shift: {places: number[], shifts: number[]}, family: string, family_parameter: number,
 *   link: 'identity' | 'logit' | 'log', target_levels: string[], exposure: string, intervals: boolean, overdispersion: number,
 *   error: number, rows: SampleRow[], columns: Column[], features: Feature[], terms: Term[], residual_quantiles: number[],
 *   residual_spread: {predictions: number[], scales: number[]}}} ModelJson
 * @typedef {Record<string, number | string | null>} Row  The values of columns by name; null where there is none.
 */

/** The functions of a basis that are not zero on one interval, at `u` from its left end.
 * @param {number} degree @param {number} u @returns {number[]} */
function localValues(degree, u) {
  const value = [1];
  for (let j = 1; j <= degree; ++j) {
    let saved = 0;
    for (let r = 0; r < j; ++r) {
      const share = value[r] / j;
      value[r] = saved + (r + 1 - u) * share;
      saved = (u + j - 1 - r) * share;
    }
    value[j] = saved;
  }
  return value;
}

/** Their slopes: differences of functions of one degree less.
 * @param {number} degree @param {number} u @returns {number[]} */
function localSlopes(degree, u) {
  const parent = localValues(degree - 1, u);
  return Array.from({length: degree + 1}, (_, r) => (r > 0 ? parent[r - 1] : 0) - (r < degree ? parent[r] : 0));
}

/** The first function that is not zero at `x`, and the values of it and its neighbours.
 * @param {Basis} basis @param {number} x @param {string} outside @returns {{cell: number, value: number[]}} */
function evaluateBasis(basis, x, outside) {
  const {first, last, intervals, degree} = basis;
  if (basis.constant) return {cell: 0, value: new Array(degree + 1).fill(0)};
  if (degree === 0) {
    const known = x >= 0 && x < intervals && Number.isInteger(x);
    return {cell: known ? x : intervals - 1, value: [1]};
  }
  const position = (x - first) * (intervals / (last - first));
  const cell = position >= intervals - 1 ? intervals - 1 : position > 0 ? Math.floor(position) : 0;
  const u = position - cell;
  if ((x >= first && x <= last) || outside === 'polynomial') return {cell, value: localValues(degree, u)};
  const boundary = x < first ? 0 : 1;
  const value = localValues(degree, boundary);
  const straight = degree === 1 && intervals === 1;
  if (outside !== 'constant' || straight) {
    const slope = localSlopes(degree, boundary);
    for (let r = 0; r <= degree; ++r) value[r] += (u - boundary) * slope[r];
  }
  return {cell, value};
}

/** The map of a feature that lets knots follow the data.
 * @param {{nodes: number[], values: number[]} | null} map @param {number} x @returns {number} */
function warped(map, x) {
  if (!map) return x;
  const {nodes, values} = map;
  let piece = 0;
  while (piece < nodes.length - 2 && nodes[piece + 1] <= x) ++piece;
  const from = x >= nodes[piece + 1] ? 1 : 0;
  const line = values[piece + from] +
      (x - nodes[piece + from]) / (nodes[piece + 1] - nodes[piece]) * (values[piece + 1] - values[piece]);
  return from === 0 ? Math.min(line, values[piece + 1]) : line;
}

/** The value of a cyclic feature less whole periods; one that is too far away for its digits to say where counts as the first.
 * @param {Basis} basis @param {number} x @returns {number} */
function lessPeriods({first, last}, x) {
  const period = last - first;
  if (Math.abs(x - first) > 1e9 * period) return first;
  return Math.min(Math.max(x - period * Math.floor((x - first) / period), first), last);
}

/** @param {ModelJson} json */
function koreModel(json) {
  const MISSING = -1;
  const UNSEEN = -2;
  const LARGEST_PREDICTOR = 30;  // as src/response/linked.hpp says

  /** The place of a text among the levels of its column. @param {Column} column @param {number | string | null} value */
  function levelOf(column, value) {
    if (value === null) return MISSING;
    const level = column.levels.indexOf(String(value));
    if (level >= 0) return level;
    return column.rare.includes(String(value)) || column.has_other ? column.levels.length : UNSEEN;
  }

  /** The value of a column; a column may have the name of something that every object inherits.
   * @param {Row} row @param {Column} column */
  const valueOf = (row, column) => Object.hasOwn(row, column.name) ? row[column.name] ?? null : null;

  /** One number for each feature. @param {Row} row @returns {number[]} */
  function encode(row) {
    return json.features.map((feature) => {
      const column = json.columns[feature.column];
      const value = valueOf(row, column);
      if (column.kind !== 'category') {
        if (feature.kind === 'missing_flag') return value === null ? 1 : 0;
        return value === null ? column.median : Number(value);
      }
      const level = levelOf(column, value);
      if (feature.kind === 'missing_flag') return level === MISSING ? 1 : 0;
      if (feature.kind === 'indicator') return level === feature.level ? 1 : 0;
      if (level === MISSING) return column.levels.length;
      return level >= 0 && level < column.levels.length ? level : column.levels.length + (column.has_missing ? 1 : 0);
    });
  }

  /** @param {Term} term @param {number[]} x @returns {number} */
  function rawValue(term, x) {
    const local = term.features.map((j, c) => {
      const feature = json.features[j];
      const {argument} = term.bases[c];
      const value = argument === 'place' ? feature.repeated.indexOf(x[j]) :
          argument === 'plain' ? x[j] : argument === 'around' ? lessPeriods(term.bases[c], x[j]) : warped(feature.warp, x[j]);
      return evaluateBasis(term.bases[c], value, json.extrapolation);
    });
    /** @param {number} c @param {number} at @returns {number} */
    const sum = (c, at) => {
      if (c === local.length) return term.coefficients[at];
      const functions = term.bases[c].intervals + term.bases[c].degree;
      let total = 0;
      local[c].value.forEach((value, s) => { total += value * sum(c + 1, at * functions + local[c].cell + s); });
      return total;
    };
    return sum(0, 0);
  }

  /** The prediction, and what it is made of: a constant and one number for each term. @param {Row} row */
  function explain(row) {
    const x = encode(row);
    const constant = json.intercept;
    let prediction = json.intercept;
    /** @type {{name: string, value: number}[]} */
    const terms = [];
    json.terms.forEach((part) => {  // an effect may consist of several parts
      const value = rawValue(part, x);
      prediction += value;
      terms[part.effect] ??= {name: part.name, value: 0};
      terms[part.effect].value += value;
    });
    let sum = prediction;  // on the scale of the fit
    prediction = mean(sum);
    const held = Math.min(Math.max(prediction, json.limits.lowest ?? -Infinity), json.limits.highest ?? Infinity);
    if (json.scale === 'identity' && json.link === 'identity' && Number.isFinite(prediction) && held !== prediction) {
      terms.push({name: 'limit of predictions', value: held - prediction});
      sum = held;
    }
    prediction = held;
    if (json.extrapolation === 'error' && outside(row).length > 0) prediction = NaN;  // as the engine refuses such rows
    return {prediction, constant, terms, sum};
  }

  /** A piecewise-linear function, level beyond both ends.
   * @param {number[]} places @param {number[]} values @param {number} at */
  function interpolated(places, values, at) {
    const after = places.findIndex((place) => place > at);
    if (after === 0) return values[0];
    if (after < 0) return values[values.length - 1];
    const share = (at - places[after - 1]) / (places[after] - places[after - 1]);
    return values[after - 1] + share * (values[after] - values[after - 1]);
  }

  /** A target on the scale of the fit, and back. @param {number} target */
  const toScale = (target) => json.scale === 'log' ? Math.log(Math.max(target, 2 ** -1022)) : json.scale === 'sqrt' ? Math.sqrt(target) : target;
  /** @param {number} value */
  const fromScale = (value) => json.scale === 'log' ? Math.exp(value) : json.scale === 'sqrt' ? Math.max(value, 0) ** 2 : value;

  /** The mean of the target where the terms add up to `sum`. @param {number} sum */
  function mean(sum) {
    const bounded = Math.min(Math.max(sum, -LARGEST_PREDICTOR), LARGEST_PREDICTOR);
    if (json.link === 'logit') return 1 / (1 + Math.exp(-bounded));
    if (json.link === 'log') return Math.exp(bounded);
    const {places, shifts} = json.mean_shift;
    return fromScale(places.length === 0 ? sum : sum + interpolated(places, shifts, sum));
  }

  /** Whole counts that a new one lies between, of the distribution of the family: outside, on either side, lies at most `tail`.
   * Counts that vary more than Poisson's are negative binomial ones with the same mean and variance.
   * @param {number} tail @param {number} mean @returns {{lower: number, upper: number}} */
  function countInterval(tail, mean) {
    if (!(mean > 0)) return {lower: 0, upper: 0};
    const plain = json.family === 'poisson' && json.overdispersion < 1.001;
    const theta = json.family === 'negative_binomial' ? json.family_parameter : mean / (json.overdispersion - 1);
    let log = plain ? -mean : -theta * Math.log1p(mean / theta);  // of the probability of the count
    let below = 0;
    let lower = 0;
    const most = 100 * (mean + 100);  // far beyond every quantile
    for (let count = 0; count < most; ++count) {
      if (count > 0) log += plain ? Math.log(mean / count) : Math.log((count - 1 + theta) / count * (mean / (mean + theta)));
      below += Math.exp(log);
      if (below <= tail) lower = count;
      if (1 - below <= tail) return {lower, upper: count};
    }
    return {lower, upper: Infinity};
  }

  /** The interval that covers the target of a row with this prediction.
   * @param {number} level @param {number} prediction @param {number} wider of the row
   * @returns {{lower: number, upper: number} | null} */
  function interval(level, prediction, wider) {
    if (!json.intervals) return null;
    if (json.family === 'poisson' || json.family === 'negative_binomial') return countInterval((1 - level) / 2, prediction);
    const ends = offsets(level);
    if (ends === null) return null;
    const centre = toScale(prediction);
    const {predictions, scales} = json.residual_spread;
    const spread = wider * (predictions.length === 0 ? 1 : interpolated(predictions, scales, centre));
    const lower = centre + ends.lower * spread;
    if (json.link !== 'identity') return {lower: Math.max(lower, 0), upper: centre + ends.upper * spread};
    const nextToZero = json.scale === 'sqrt' && lower < 0.25 * centre;  // as src/model/intervals.cpp says
    return {lower: fromScale(nextToZero ? 0 : lower), upper: fromScale(centre + ends.upper * spread)};
  }

  /** How much wider an interval is because the row lies outside the training range; one inside. @param {Row} row */
  function widening(row) {
    const x = encode(row);
    return Math.sqrt(json.features.reduce((sum, feature, j) => {
      const distance = feature.spread ? Math.max(feature.lowest - x[j], x[j] - feature.highest, 0) : 0;
      return sum + feature.widening * distance;
    }, 1));
  }

  /** The ends of an interval around zero on the scale of the fit, in units of the spread. @param {number} level */
  function offsets(level) {
    const quantiles = json.residual_quantiles;
    if (quantiles.length === 0) return null;
    const n = Math.max(json.n, 1);
    const tail = (1 - level) / 2 * (n + 1) / n;
    const at = (/** @type {number} */ rank) => quantiles[Math.min(Math.max(rank, 0), quantiles.length - 1)];
    return {lower: at(Math.floor(tail * quantiles.length) - 1), upper: at(Math.ceil((1 - tail) * quantiles.length))};
  }

  /** Columns whose value training had no example near. @param {Row} row @returns {string[]} */
  function outside(row) {
    const x = encode(row);
    return json.features.flatMap((feature, j) =>
      feature.spread && (x[j] < feature.lowest || x[j] > feature.highest) ? [json.columns[feature.column].name] : []);
  }

  /** The same as `kore predict` warns of it: where some value is further outside than a tenth of its range, all columns that are
   * outside. Otherwise none. As src/story/far_rows.cpp says. @param {Row} row @returns {string[]} */
  function far(row) {
    const x = encode(row);
    const distant = json.features.some((feature, j) =>
      feature.spread && Math.max(feature.lowest - x[j], x[j] - feature.highest) / (feature.highest - feature.lowest) > 0.1);
    return distant ? outside(row) : [];
  }

  /** As many digits as the error of predictions leaves meaningful; where that is not known, three. @param {number} value */
  function readable(value) {
    if (!Number.isFinite(value)) return 'undefined';
    const {error} = json;
    if (json.link === 'logit') return probability(value);
    if (error > 0 && Math.abs(value) < 1e15) {
      const wanted = Math.min(1 - Math.floor(Math.log10(error)), 12);
      const unit = wanted < 0 ? 10 ** -wanted : 1;
      const digits = Math.max(wanted, 0);
      return (unit * Math.round(value / unit) * (wanted < 0 ? 1 : 0) + (wanted < 0 ? 0 : value))
          .toLocaleString('en', {minimumFractionDigits: digits, maximumFractionDigits: digits});
    }
    const size = Math.abs(value);
    if (size >= 1000 && size < 1e7) return Math.round(value).toLocaleString('en');
    return String(Number(value.toPrecision(3)));
  }

  /** In per cent, with more digits next to 0 and to 1. @param {number} value */
  function probability(value) {
    const rest = 100 * Math.min(value, 1 - value);  // to the nearer end
    if (rest > 0 && rest < 0.001) return value < 0.5 ? '< 0.001 %' : '> 99.999 %';
    const digits = rest > 0 ? Math.min(Math.max(1 - Math.floor(Math.log10(rest)), 1), 3) : 1;
    return `${Number((100 * value).toFixed(digits))} %`;
  }

  /** What `kore predict` would tell about the values of a row. @param {Row} row @returns {string[]} */
  function warnings(row) {
    const standIn = (/** @type {boolean} */ other) => other ? 'predicted as "(other)".' : 'predicted as having none of its levels.';
    const hasPositions = (/** @type {Column} */ column) =>
      json.features.some((feature) => feature.kind === 'category' && json.columns[feature.column] === column);
    return json.columns.flatMap((column) => {
      const value = valueOf(row, column);
      if (value === null)
        return column.missing_share > 0 ? [] : [`${column.name}: training had no row without a value; predicted ` +
            (column.kind !== 'category' ? 'with the median of training.' : standIn(hasPositions(column)).slice('predicted '.length))];
      if (column.kind !== 'category') return [];
      const unseen = !column.levels.includes(String(value)) && !column.rare.includes(String(value));
      return unseen ? [`${column.name}: a level that training did not have; ${standIn(column.has_other)}`] : [];
    });
  }

  return {
    json, encode, explain, interval, widening, outside, far, warnings, readable,
    predict: (/** @type {Row} */ row) => explain(row).prediction,
  };
}
