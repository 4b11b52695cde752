// The picture in README is the head of the report of the cars as it is now: node picture_test.mjs PROJECT FOLDER KORE fits the table
// as README does and compares the words in the picture with those of the page. With KORE_RENEW_DOCS=1 the picture is taken again.
// Exit status 0: they are the same, 1: they are not, 77: there is no browser.
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, inBrowser, open} from '../browser/looking.mjs';

const [project, folder, kore] = process.argv.slice(2).map((one) => path.resolve(one));
const picture = path.join(project, 'docs/report.png');
// What the picture shows, below the sum of its bytes: neither can change alone.
const record = path.join(project, 'tests/readme/report_picture.txt');
const [width, height] = [1180, 1085];

/** The words that lie within the window, without those of charts. */
const wordsIn = (height) => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const words = node.textContent.trim().replace(/\s+/g, ' ');
    if (words && box.width > 0 && box.bottom <= height && !node.parentElement.closest('svg, script, style')) found.push(words);
  }
  return found.join('\n');
};

rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const run = (...words) => execFileSync(kore, words, {cwd: folder, stdio: ['ignore', 'pipe', 'pipe']});
const cars = path.join(folder, 'cars.json');
writeFileSync(cars, readFileSync(path.join(project, 'examples/data/cars.json')));
run('fit', 'cars.json', '--target', 'Miles_per_Gallon', '--drop', 'Name', '-o', 'cars.kore');
run('report', 'cars.kore', 'cars.json', '-o', 'cars.html');

const described = (words) => `${createHash('sha256').update(readFileSync(picture)).digest('hex')}  docs/report.png\n${words}\n`;
await inBrowser(async (browser) => {
  const {page, close} = await open(browser, path.join(folder, 'cars.html'), width, 'light');
  await page.setViewportSize({width, height});
  const words = await page.evaluate(wordsIn, height);
  expect(words.includes('What predicts Miles_per_Gallon') && words.includes('How far off'), `the page begins with other words: ${words.slice(0, 200)}`);
  if (process.env.KORE_RENEW_DOCS === '1') {
    await page.screenshot({path: picture});
    writeFileSync(record, described(words));
  } else {
    const now = described(words), shown = readFileSync(record, 'utf8');
    writeFileSync(path.join(folder, 'now.txt'), now);
    expect(now === shown, `docs/report.png does not show the report as it is: compare ${record} with ${path.join(folder, 'now.txt')}. ` +
                              'KORE_RENEW_DOCS=1 ctest --test-dir build -R readme.picture takes the picture again.');
  }
  await close();
});
