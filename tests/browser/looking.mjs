// What the tests of pages have in common: the browser, and what every page must be.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {inflateSync} from 'node:zlib';

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

/** Milliseconds that anything may take. A machine with other work may be many times slower, and nothing here measures time. */
const patience = 600000;
const failures = [];
export const expect = (fine, message) => { if (!fine) failures.push(message); };

/** Waits for what the page does after an event; what never comes is a failure. */
export async function eventually(holds, message) {
  const end = Date.now() + patience / 10;
  while (!await holds()) {
    if (Date.now() > end) return expect(false, await message());
    await new Promise((done) => setTimeout(done, 100));
  }
}

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
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.on('crash', () => expect(false, `${where}: the browser has lost the page`));
  page.on('console', (message) => expect(message.type() !== 'error', `${where}: console: ${message.text()}`));
  page.on('dialog', (dialog) => { expect(false, `${where}: a dialog`); dialog.dismiss(); });
  page.on('pageerror', (error) => expect(false, `${where}: ${error}`));
  page.on('request', (request) => expect(/^(file|data):/.test(request.url()), `${where}: asks for ${request.url()}`));
  await page.goto(pathToFileURL(path.resolve(file)).href);
  // What is folded away is drawn when somebody opens it.
  await page.evaluate(() => document.querySelectorAll('details.fold').forEach((fold) => { fold.open = true; }));
  await page.waitForFunction(() => [...document.querySelectorAll('.chart')].every((chart) => chart.dataset.drawn), null, {polling: 100});
  return {page, where, close: () => context.close()};
}

/** Prints a page as soon as it is there, and counts the charts that paper would show as empty boxes. */
export async function print(browser, file) {
  const where = `${path.basename(file)} on paper`;
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  await page.addInitScript(() => globalThis.addEventListener('afterprint', () => {
    const shown = [...document.querySelectorAll('.chart')].filter((chart) => !chart.closest('details:not([open])'));
    globalThis.emptyOnPaper = shown.filter((chart) => !chart.querySelector('.role-mark path, .role-mark line')).length;
    globalThis.chartsOnPaper = shown.length;
  }));
  await page.goto(pathToFileURL(path.resolve(file)).href);
  await page.pdf({format: 'A4'});
  await page.waitForFunction(() => globalThis.chartsOnPaper !== undefined, null, {polling: 100});
  const [empty, charts] = await page.evaluate(() => [globalThis.emptyOnPaper, globalThis.chartsOnPaper]);
  expect(charts > 0 && empty === 0, `${where}: ${empty} of ${charts} charts are empty`);
  console.log(`${where}: ${charts} charts`);
  await page.close();
}

/** Opens a page whose browser is never idle, so that charts are drawn where somebody looks and nowhere else. */
export async function drawsWhereOneLooks(browser, file) {
  const where = `${path.basename(file)}, scrolled`;
  const page = await browser.newPage({viewport: {width: 1280, height: 900}});
  page.setDefaultTimeout(patience);
  await page.addInitScript(() => { globalThis.requestIdleCallback = () => 0; });
  await page.goto(pathToFileURL(path.resolve(file)).href);
  const charts = page.locator('.chart:not(details:not([open]) .chart)');
  const drawn = () => page.locator('.chart[data-drawn]').count();
  const all = await charts.count();
  const first = await drawn();
  expect(first < all / 2, `${where}: ${first} of ${all} charts are drawn before anybody looks at them`);
  await charts.last().scrollIntoViewIfNeeded();
  await page.locator('.chart[data-drawn="true"]').last().waitFor();
  await page.waitForFunction((place) => document.getElementById(place).dataset.drawn === 'true',
                             await charts.last().getAttribute('id'), {polling: 100});
  expect(await drawn() < all, `${where}: charts that were jumped over are drawn too`);
  console.log(`${where}: ${first} of ${all} charts at first, ${await drawn()} after a jump to the end`);
  await page.close();
}

/** How many shapes chromium paints where it prints a page by itself, as `chromium --print-to-pdf` does. */
function shapesOnPaper(file) {
  const pdf = `${file}.pdf`;
  execFileSync(browserPath, ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${file}.profile`, `--print-to-pdf=${pdf}`,
                             pathToFileURL(path.resolve(file)).href], {stdio: 'ignore', timeout: patience});
  const bytes = readFileSync(pdf);
  let shapes = 0;
  for (let at = bytes.indexOf('stream\n'); at >= 0; at = bytes.indexOf('stream\n', at + 1)) {
    try {
      const content = inflateSync(bytes.subarray(at + 7, bytes.indexOf('endstream', at))).toString('latin1');
      shapes += (content.match(/^(f\*?|S|B\*?)$/gm) ?? []).length;
    } catch {}  // pictures and fonts are no drawings
  }
  return shapes;
}

/** The charts are on the paper: it has their marks, and a page without its scripts has not. */
export function printsByItself(file, marks) {
  const bare = file.replace(/\.html$/, '_bare.html');
  writeFileSync(bare, readFileSync(file, 'utf8').replace(/<script>.*?<\/script>/gs, ''));
  const [with_, without] = [shapesOnPaper(file), shapesOnPaper(bare)];
  expect(with_ - without >= marks, `${path.basename(file)}: ${with_} shapes on paper, ${without} without scripts, for ${marks} marks`);
  console.log(`${path.basename(file)}: ${with_} shapes on paper, ${without} without scripts`);
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
    expect(false, `${where}: ${fault.impact}: ${fault.help}: ${fault.nodes[0].html.slice(0, 200)}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow <= 0, `${where}: ${overflow} px wider than the window`);
  const marks = charts.reduce((sum, chart) => sum + chart.marks, 0);
  console.log(`${where}: ${charts.length} charts, ${marks} marks`);
  return marks;
}

/** Runs the tests in a browser and ends the process with what came of them. */
export async function inBrowser(tests) {
  // Root, as in a container, may not use chromium's sandbox; the pages are our own.
  const browser = await playwright.chromium.launch({executablePath: browserPath, args: ['--no-sandbox'], timeout: patience});
  try {
    await tests(browser);
  } finally {
    await browser.close();
  }
  for (const failure of failures) console.error(failure);
  process.exit(failures.length ? 1 : 0);
}
