// Pages of the site in a real browser, from a folder: node site_test.mjs SITE [PICTURES]. All of them on a phone's width, those that
// differ in kind on a desktop's, too. Nothing is asked of another host, nothing sticks out, the search finds, and the reports within pages are drawn. With PICTURES, a
// folder, the pages are also photographed. Exit status 0: all is well, 1: something is not, 77: there is no browser.
import {mkdirSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {expect, inBrowser, open} from '../browser/looking.mjs';

const [site, pictures] = process.argv.slice(2);
if (pictures) mkdirSync(pictures, {recursive: true});
const onDesktop = ['index', 'tutorials/house-prices', 'tutorials/from-lightgbm', 'gallery', 'python-reference/kore', 'cpp/fit.hpp', 'options',
               'architecture', 'report'];

// Reports are no pages of the site but lie in its folder made/; they have a test of their own.
const pages = readdirSync(site, {recursive: true}).map(String)
                  .filter((name) => name.endsWith('.html') && !name.startsWith('made/') && name !== '404.html').map((name) => name.slice(0, -5)).sort();
for (const name of onDesktop) expect(pages.includes(name), `there is no page ${name}`);
expect(pages.length > 50, `there are ${pages.length} pages only`);

/** Types into the field of the search, and counts what is found. */
async function search(page, word) {
  // On a phone, a button opens the field.
  const button = page.locator('label.md-header__button[for="__search"]');
  await (await button.isVisible() ? button : page.locator('input[name="query"]')).click();
  await page.locator('input[name="query"]').pressSequentially(word);
  await page.waitForFunction(() => document.querySelectorAll('.md-search-result__item').length > 0, null, {timeout: 20000}).catch(() => {});
  return page.evaluate(() => document.querySelectorAll('.md-search-result__item').length);
}

await inBrowser(async (browser) => {
  for (const name of pages)
    for (const [width, colorScheme] of [[390, 'dark'], ...(onDesktop.includes(name) ? [[1280, 'light']] : [])]) {
      const {page, where, close} = await open(browser, path.join(site, `${name}.html`), width, colorScheme);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow <= 0, `${where}: ${overflow} px wider than the window`);
      const scheme = await page.evaluate(() => document.body.getAttribute('data-md-color-scheme'));
      expect(scheme === (colorScheme === 'dark' ? 'slate' : 'default'), `${where}: the colours are ${scheme}`);
      const broken = await page.evaluate(() => [...document.images].filter((image) => image.loading !== 'lazy' && !image.naturalWidth).length);
      expect(broken === 0, `${where}: ${broken} pictures are not there`);
      if (pictures) await page.screenshot({path: path.join(pictures, `${name.replaceAll('/', '_')}_${width}.png`)});
      if (name === 'index') {
        expect(await search(page, 'exposure') > 0, `${where}: the search finds nothing`);
        if (pictures) await page.screenshot({path: path.join(pictures, `search_${width}.png`)});
      }
      if (name === 'report') {
        const frame = page.frames().find((one) => one.url().endsWith('cars.html'));
        await frame?.waitForSelector('.chart svg', {timeout: 60000}).catch(() => {});
        expect(await frame?.evaluate(() => document.querySelectorAll('.chart svg').length) > 0, `${where}: the report is not drawn`);
      }
      await close();
    }
});
