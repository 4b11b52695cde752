// Predicts with a model that `kore export MODEL --to json` wrote, in a browser or in Node. docs/export.md describes the format.

/** How many of rising numbers are at most x. */
function countUpTo(numbers, x) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

function warped(warp, x) {
  if (!warp) return x;
  const {nodes, values} = warp;
  const node = Math.max(countUpTo(nodes, x) - 1, 0);
  const piece = Math.min(node, nodes.length - 2);
  return values[node] + (x - nodes[node]) * ((values[piece + 1] - values[piece]) / (nodes[piece + 1] - nodes[piece]));
}

/** A value that begins again; one that is too far away for its digits to say where counts as the first. */
function lessPeriods({first, period}, x) {
  return Math.abs(x - first) > 1e9 * period ? first : x - period * Math.floor((x - first) / period);
}

/**
 * Takes the parsed JSON; returns a function from a row, an object by column, to its prediction; of classes to an array of [name, probability].
 * It returns null where there is none.
 */
export function koreModel(json) {
  if (json.format !== 'kore-model' || ![1, 2, 3].includes(json.version)) throw new Error('not a model of version 1, 2 or 3');
  // Levels that are numbers are compared as numbers, so that 3 is 3.0.
  const asLevel = (input, value) => (input.of === 'number' ? Number(value) : String(value));
  const codes = json.inputs.map((input) => new Map((input.levels ?? []).map((level, code) => [asLevel(input, level), code])));

  function functions(axis, {number, code}) {
    if (axis.kind === 'codes') return {first: axis.first[code], values: axis.values[code]};
    if (axis.kind === 'values') {
      const place = axis.values.indexOf(number);
      return {first: place < 0 ? axis.values.length : place, values: [1]};
    }
    const within = axis.period ? lessPeriods(axis, number) : warped(axis.warp, number);
    const position = (within - axis.first) * axis.scale;
    const held = axis.outside === 'polynomial' ? position : Math.min(Math.max(position, 0), axis.intervals);
    const beyond = axis.outside === 'tangent' ? position - held : 0;
    const first = Math.min(Math.max(Math.floor(held), 0), axis.intervals - 1);
    const values = json.local_polynomials[axis.degree].map((polynomial) => {
      let value = 0;
      let slope = 0;
      for (let p = polynomial.length - 1; p >= 0; --p) {
        slope = slope * (held - first) + value;
        value = value * (held - first) + polynomial[p];
      }
      return beyond === 0 ? value : value + beyond * slope;
    });
    return {first, values};
  }

  function valueOf(term, local) {
    const part = (c, offset) => {
      if (c === local.length) return term.coefficients[offset];
      const size = json.axes[term.axes[c]].functions;
      return local[c].values.reduce((sum, value, s) => sum + value * part(c + 1, offset * size + local[c].first + s), 0);
    };
    return part(0, 0);
  }

  /** What the sum of terms is carried to. */
  function meanOf(part, local) {
    const eta = part.terms.reduce((sum, term) => sum + valueOf(term, term.axes.map((a) => local[a])), part.intercept);
    const {places, shifts} = part.shift;
    let z = eta;
    if (places.length > 0) {
      const after = countUpTo(places, eta);
      const inside = after > 0 && after < places.length;
      const share = inside ? (eta - places[after - 1]) / (places[after] - places[after - 1]) : 0;
      const from = Math.max(after - 1, 0);
      z += inside ? shifts[from] + share * (shifts[after] - shifts[from]) : shifts[from];
    }
    const mean = json.link === 'log' ? Math.exp(z) : json.link === 'logit' ? 1 / (1 + Math.exp(-z)) : json.link === 'sqrt' ? Math.max(z, 0) ** 2 : z;
    return Math.min(Math.max(mean, part.limits.lowest ?? -Infinity), part.limits.highest ?? Infinity);
  }

  function withOffset(mean, values) {
    if (!json.offset) return mean;
    const known = values[json.offset.input].number;
    if (json.offset.use === 'summand') return mean + known;
    return mean * (json.offset.use === 'factor' ? known : Math.exp(known));
  }

  function probabilities(local) {
    const {yes, no, least} = json.coupling;
    const scores = json.classes.map((one) => {
      const mean = Math.min(Math.max(meanOf(one, local), least), 1 - least);
      return yes * Math.log(mean) - no * Math.log1p(-mean);
    });
    if (scores.some(Number.isNaN)) return null;
    const largest = Math.max(...scores);
    const shares = scores.map((score) => Math.exp(score - largest));
    const sum = shares.reduce((all, share) => all + share, 0);
    return json.classes.map((one, k) => [one.name, shares[k] / sum]);
  }

  return (row) => {
    const values = [];
    for (const [i, input] of json.inputs.entries()) {
      const value = (Object.hasOwn(row, input.name) ? row[input.name] : null) ?? null;
      const missing = value === null || Number.isNaN(value);
      if (input.kind === 'category') {
        const levels = codes[i].size;
        values.push({number: NaN, code: missing ? levels : codes[i].get(asLevel(input, value)) ?? levels + 1});
        continue;
      }
      const number = missing ? input.stand_in : Number(value);
      const refused = input.allowed && (number < input.allowed.lowest || number > input.allowed.highest);
      if (!Number.isFinite(number) || refused) return null;
      values.push({number, code: missing ? 1 : 0});
    }
    const local = json.axes.map((axis) => functions(axis, values[axis.input]));
    if (json.classes) return probabilities(local);
    const prediction = withOffset(meanOf(json, local), values);
    return Number.isFinite(prediction) ? prediction : null;
  };
}
