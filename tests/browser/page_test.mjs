// The page of figures in a real browser: node page_test.mjs FOLDER KORE MADE_UP_PAGE makes a small page with the command, and one
// with every study from made-up results, and opens both on a desktop's and on a phone's width. Exit status 0: all is well, 1: something is not, 77: there is no browser to test with.
import {execFileSync} from 'node:child_process';
import {mkdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import {inBrowser, look, open} from './looking.mjs';

const [folder, kore, madeUpPage] = process.argv.slice(2);
rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const everyStudy = path.join(folder, 'every_study.html');
execFileSync(madeUpPage, [everyStudy]);
execFileSync(kore, ['reproduce', 'noise', 'consistency', 'benchmark', '-o', folder, '--seeds', '1', '--quiet']);
await inBrowser(async (browser) => {
  for (const [file, chartCount] of [[path.join(folder, 'index.html'), 11], [everyStudy, 25]])
    for (const [width, colorScheme] of [[1280, 'light'], [390, 'dark']]) {
      const opened = await open(browser, file, width, colorScheme);
      await look(opened, chartCount, width);
      await opened.close();
    }
});
