// @ts-check
// Draws the charts, which are in the page as data, and does the search. Colours are the page's own CSS variables, so that charts follow
// light, dark and print without being drawn again.
(() => {
  'use strict';

  const text = 'var(--ink)';
  const quiet = 'var(--quiet)';
  const line = 'var(--line)';
  const config = {
    background: 'transparent',
    font: getComputedStyle(document.body).fontFamily,  // by name: Vega measures text with it
    view: {stroke: null},
    axis: {
      labelColor: quiet, titleColor: text, domainColor: line, tickColor: line, gridColor: line, gridOpacity: 0.6,
      labelFontSize: 12, titleFontSize: 13, titleFontWeight: 'normal', titlePadding: 8, labelLimit: 150, titleLimit: 260,
    },
    legend: {
      orient: 'top', direction: 'horizontal', labelColor: text, titleColor: quiet, labelFontSize: 12, titleFontSize: 12,
      titleFontWeight: 'normal', symbolSize: 80, columnPadding: 14, titleLimit: 300,
      layout: {top: {anchor: 'start', bounds: 'full'}},  // from the edge of the chart: names are long and phones narrow
    },
    text: {fill: text, fontSize: 12},
    rule: {stroke: quiet},
  };
  const options = {renderer: 'svg', actions: false, ast: true, config, tooltip: {theme: 'page'}};
  /** @type {(place: Element, spec: object, options: object) => Promise<unknown>} */
  const embed = /** @type {any} */ (globalThis).vegaEmbed;

  /** Charts that are still to be drawn, by their place. @type {Map<Element, string>} */
  const waiting = new Map();
  for (const block of document.querySelectorAll('script[type="application/json"][data-chart]')) {
    const place = document.getElementById(/** @type {HTMLElement} */ (block).dataset.chart ?? '');
    if (place) waiting.set(place, block.textContent ?? '');
  }

  /** @param {Element} place */
  async function draw(place) {
    const spec = waiting.get(place);
    if (spec === undefined) return;
    waiting.delete(place);
    seen.unobserve(place);
    try {
      const chart = JSON.parse(spec);
      // Controls of a chart stand beside it: the chart itself is one picture to those who hear the page.
      const controls = document.createElement('div');
      controls.className = 'controls-of-chart';
      if (chart.params) place.after(controls);
      await embed(place, chart, {...options, bind: controls});
      // The element around the chart describes it in a sentence, and tables have the numbers. A screen reader should not read
      // out hundreds of marks.
      place.querySelector('svg')?.setAttribute('aria-hidden', 'true');
      /** @type {HTMLElement} */ (place).dataset.drawn = 'true';
    } catch (error) {
      place.textContent = 'This chart could not be drawn.';
      /** @type {HTMLElement} */ (place).dataset.drawn = 'false';
      console.error(error);
    }
  }

  // Before the page is printed, everything that is not folded away is drawn. Drawing waits for nothing but itself, so that it is done
  // before the browser goes on.
  globalThis.addEventListener('beforeprint', () => {
    for (const place of [...waiting.keys()]) if (!place.closest('details:not([open])')) draw(place);
  });

  // Charts near the window are drawn first, the others one by one while the browser is idle, so that print and search find them
  // drawn. A chart that the search hides has no width yet and waits until it is shown.
  const seen = new IntersectionObserver(
    (entries) => { for (const entry of entries) if (entry.isIntersecting) draw(entry.target); }, {rootMargin: '400px'});
  for (const place of waiting.keys()) seen.observe(place);
  // A machine that is busy with other things may never be idle, so that waiting has an end.
  const whenIdle = (/** @type {() => void} */ work) =>
    'requestIdleCallback' in globalThis ? requestIdleCallback(work, {timeout: 1000}) : setTimeout(work, 30);
  async function drawNext() {
    const place = [...waiting.keys()].find((each) => each.clientWidth > 0);
    if (!place) return;
    await draw(place);
    whenIdle(drawNext);
  }
  whenIdle(drawNext);

  const search = /** @type {HTMLInputElement | null} */ (document.getElementById('search'));
  const found = document.getElementById('found');
  function filter() {
    const words = search?.value.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
    const matches = (/** @type {string} */ name) => words.every((word) => name.toLowerCase().includes(word));
    let shown = 0;
    for (const figure of document.querySelectorAll('figure.searchable')) {
      let here = 0;
      for (const panel of figure.querySelectorAll('.panel')) {
        const fits = matches(panel.querySelector('h3, h4')?.textContent ?? '');
        /** @type {HTMLElement} */ (panel).hidden = !fits;
        if (fits) ++here;
      }
      figure.classList.toggle('nothing', here === 0);
      shown += here;
    }
    for (const control of document.querySelectorAll('.control')) {
      const fits = matches(/** @type {HTMLElement} */ (control).dataset.names ?? '');
      /** @type {HTMLElement} */ (control).hidden = !fits;
      const fold = /** @type {HTMLDetailsElement | null} */ (control.closest('details'));
      if (fits && fold && words.length > 0) fold.open = true;
    }
    if (found) found.textContent = words.length > 0 ? `${shown} ${shown === 1 ? 'effect' : 'effects'}` : '';
    whenIdle(drawNext);
  }
  search?.addEventListener('input', filter);
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof Element && event.target.matches('input, select, textarea');
    if (event.key === '/' && search && !typing) {
      event.preventDefault();
      search.focus();
    }
  });
})();
