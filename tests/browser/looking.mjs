// What the tests of pages have in common: the browser, and what every page must be.
import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const skipped = 77;
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
// scripts/setup.sh puts what drives the browser beside this file, or into the same folder below KORE_BUILD.
const source = path.resolve(fileURLToPath(import.meta.url), '../../..');
const driverFolder = path.join(process.env.KORE_BUILD || source, 'tests/browser');
const needed = createRequire(path.join(driverFolder, 'package.json'));
const load = (name) => { try { return needed(name); } catch { return null; } };
const playwright = load('playwright-core');
if (!browserPath || !playwright) {
  console.log(`skipped: ${browserPath ? 'playwright-core' : 'chromium'} is missing; scripts/setup.sh installs it.`);
  process.exit(skipped);
}
const axe = readFileSync(needed.resolve('axe-core/axe.min.js'), 'utf8');

const failures = [];
export const expect = (fine, message) => { if (!fine) failures.push(message); };

// What only the browser knows: how much was drawn, and whether it lies within its frame.
const inspect = () => [...document.querySelectorAll('.chart')].map((chart) => {
  const svg = chart.querySelector('svg');
  const frame = svg?.getBoundingClientRect();
  const inside = (box) => box.left >= frame.left - 2 && box.right <= frame.right + 2;
  return {
    id: chart.id,
    description: chart.getAttribute('aria-label'),
    // Vega calls marks what shows data; axes and legends have other roles.
    marks: svg ? svg.querySelectorAll('.role-mark path, .role-mark line').length : 0,
    width: frame?.width ?? 0,
    cut: svg ? [...svg.querySelectorAll('text')].filter((text) => text.textContent && !inside(text.getBoundingClientRect()))
                   .map((text) => text.textContent) : [],
  };
});

/** A page on which anything but silence is a failure. */
export async function open(browser, file, width, colorScheme) {
  const where = `${path.basename(file)} at ${width} px, ${colorScheme}`;
  const context = await browser.newContext({viewport: {width, height: 900}, colorScheme});
  const page = await context.newPage();
  page.on('console', (message) => expect(message.type() !== 'error', `${where}: console: ${message.text()}`));
  page.on('dialog', (dialog) => { expect(false, `${where}: a dialog`); dialog.dismiss(); });
  page.on('pageerror', (error) => expect(false, `${where}: ${error}`));
  page.on('request', (request) => expect(/^(file|data):/.test(request.url()), `${where}: asks for ${request.url()}`));
  await page.goto(pathToFileURL(path.resolve(file)).href, {timeout: 120000});
  // What is folded away is drawn when somebody opens it.
  await page.evaluate(() => document.querySelectorAll('details.fold').forEach((fold) => { fold.open = true; }));
  await page.waitForFunction(
      () => [...document.querySelectorAll('.chart')].every((chart) => chart.querySelector('svg')), null, {timeout: 120000});
  return {page, where, close: () => context.close()};
}

/** Prints a page as soon as it is there, and counts the charts that paper would show as empty boxes. */
export async function print(browser, file) {
  const where = `${path.basename(file)} on paper`;
  const page = await browser.newPage();
  await page.addInitScript(() => globalThis.addEventListener('afterprint', () => {
    const shown = [...document.querySelectorAll('.chart')].filter((chart) => !chart.closest('details:not([open])'));
    globalThis.emptyOnPaper = shown.filter((chart) => !chart.querySelector('svg')).length;
    globalThis.chartsOnPaper = shown.length;
  }));
  await page.goto(pathToFileURL(path.resolve(file)).href, {timeout: 120000});
  await page.pdf({format: 'A4'});
  const [empty, charts] = await page.evaluate(() => [globalThis.emptyOnPaper, globalThis.chartsOnPaper]);
  expect(charts > 0 && empty === 0, `${where}: ${empty} of ${charts} charts are empty`);
  console.log(`${where}: ${charts} charts`);
  await page.close();
}

/** Every chart is drawn, described and whole; nothing sticks out; nobody is kept out. */
export async function look({page, where}, chartCount, width) {
  const charts = await page.evaluate(inspect);
  expect(chartCount === undefined || charts.length === chartCount, `${where}: ${charts.length} charts instead of ${chartCount}`);
  for (const chart of charts) {
    expect(chart.marks > 0, `${where}: nothing drawn in ${chart.id}`);
    expect(chart.width > 250 && chart.width <= width, `${where}: ${chart.id} is ${chart.width} px wide`);
    expect(chart.description, `${where}: ${chart.id} has no description`);
    expect(chart.cut.length === 0, `${where}: cut off in ${chart.id}: ${chart.cut}`);
  }
  await page.evaluate(axe);
  // Charts are hidden from those who hear the page, and thousands of marks would take axe minutes.
  for (const fault of await page.evaluate(async () => (await axe.run({exclude: [['.chart svg']]})).violations))
    expect(!/serious|critical/.test(fault.impact), `${where}: ${fault.help}: ${fault.nodes[0].html.slice(0, 200)}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow <= 0, `${where}: ${overflow} px wider than the window`);
  console.log(`${where}: ${charts.length} charts, ${charts.reduce((sum, chart) => sum + chart.marks, 0)} marks`);
}

/** Runs the tests in a browser and ends the process with what came of them. */
export async function inBrowser(tests) {
  // Root, as in a container, may not use chromium's sandbox; the pages are our own.
  const browser = await playwright.chromium.launch({executablePath: browserPath, args: ['--no-sandbox']});
  try {
    await tests(browser);
  } finally {
    await browser.close();
  }
  for (const failure of failures) console.error(failure);
  process.exit(failures.length ? 1 : 0);
}
