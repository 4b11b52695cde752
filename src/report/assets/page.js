// Draws every chart that the page carries as data. Colours are the page's own CSS variables, so that charts follow light, dark and
// print without being drawn again.
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
      labelFontSize: 12, titleFontSize: 13, titleFontWeight: 'normal', titlePadding: 8, labelLimit: 150,
    },
    legend: {
      orient: 'top', direction: 'horizontal', labelColor: text, titleColor: quiet, labelFontSize: 12, titleFontSize: 12,
      titleFontWeight: 'normal', symbolSize: 80, columnPadding: 14,
      layout: {top: {anchor: 'start', bounds: 'full'}},  // from the edge of the chart: names are long and phones narrow
    },
    text: {fill: text, fontSize: 12},
    rule: {stroke: quiet},
  };
  const options = {renderer: 'svg', actions: false, ast: true, config, tooltip: {theme: 'page'}};

  for (const block of document.querySelectorAll('script[type="application/json"][data-chart]')) {
    const place = document.getElementById(block.dataset.chart);
    vegaEmbed(place, JSON.parse(block.textContent), options).then(() => {
      // Its place describes the chart in a sentence, and tables have the numbers; hundreds of marks read out would help nobody.
      place.querySelector('svg').setAttribute('aria-hidden', 'true');
    }).catch((error) => {
      place.textContent = 'This chart could not be drawn.';
      console.error(error);
    });
  }
})();
