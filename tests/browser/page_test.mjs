// The page of figures in a real browser: node page_test.mjs FOLDER KORE MADE_UP_PAGE makes a small page with the command, and one
// with every study from made-up results, and opens both on a desktop's and on a phone's width. Exit status 0: all is well, 1: something is not, 77: there is no browser to test with.
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const skipped = 77;
const [folder, kore, madeUpPage] = process.argv.slice(2);

const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const playwright = await import('playwright-core').catch(() => null);
if (!browserPath || !playwright) {
  console.log(`skipped: ${browserPath ? 'playwright-core' : 'chromium'} is missing; scripts/setup.sh installs it.`);
  process.exit(skipped);
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const failures = [];
const expect = (fine, message) => { if (!fine) failures.push(message); };

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

async function look(browser, file, chartCount, width, colorScheme) {
  const where = `${path.basename(file)} at ${width} px, ${colorScheme}`;
  const context = await browser.newContext({viewport: {width, height: 900}, colorScheme});
  const page = await context.newPage();
  page.on('console', (message) => expect(message.type() !== 'error', `${where}: console: ${message.text()}`));
  page.on('pageerror', (error) => expect(false, `${where}: ${error}`));
  page.on('request', (request) => expect(/^(file|data):/.test(request.url()), `${where}: asks for ${request.url()}`));
  await page.goto(pathToFileURL(path.resolve(file)).href);
  await page.waitForFunction(
      () => [...document.querySelectorAll('.chart')].every((chart) => chart.querySelector('svg')), null, {timeout: 20000});
  const charts = await page.evaluate(inspect);
  expect(charts.length === chartCount, `${where}: ${charts.length} charts instead of ${chartCount}`);
  for (const chart of charts) {
    expect(chart.marks > 0, `${where}: nothing drawn in ${chart.id}`);
    expect(chart.width > 250 && chart.width <= width, `${where}: ${chart.id} is ${chart.width} px wide`);
    expect(chart.description, `${where}: ${chart.id} has no description`);
    expect(chart.cut.length === 0, `${where}: cut off in ${chart.id}: ${chart.cut}`);
  }
  await page.evaluate(axe);
  for (const fault of await page.evaluate(async () => (await axe.run()).violations))
    expect(!/serious|critical/.test(fault.impact), `${where}: ${fault.help}: ${fault.nodes[0].html.slice(0, 200)}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow <= 0, `${where}: ${overflow} px wider than the window`);
  console.log(`${where}: ${charts.length} charts, ${charts.reduce((sum, chart) => sum + chart.marks, 0)} marks`);
  await context.close();
}

rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const everyStudy = path.join(folder, 'every_study.html');
execFileSync(madeUpPage, [everyStudy]);
execFileSync(kore, ['reproduce', 'noise', 'consistency', 'benchmark', '-o', folder, '--seeds', '1', '--quiet']);
// Root, as in a container, may not use chromium's sandbox; the page is our own.
const browser = await playwright.chromium.launch({executablePath: browserPath, args: ['--no-sandbox']});
try {
  for (const [file, chartCount] of [[path.join(folder, 'index.html'), 11], [everyStudy, 25]]) {
    await look(browser, file, chartCount, 1280, 'light');
    await look(browser, file, chartCount, 390, 'dark');
  }
} finally {
  await browser.close();
}
for (const failure of failures) console.error(failure);
process.exit(failures.length ? 1 : 0);
