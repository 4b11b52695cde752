// The types in the scripts of the pages: node types_test.mjs FOLDER. Exit status 0: all is well, 1: something is not, 77: there is no
// compiler to check with.
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const source = path.resolve(fileURLToPath(import.meta.url), '../../..');
const compiler = path.join(process.env.KORE_BUILD || source, 'tests/browser/node_modules/typescript/bin/tsc');
if (!existsSync(compiler)) {
  console.log('skipped: typescript is missing; scripts/setup.sh installs it.');
  process.exit(77);
}
const scripts = ['page.js', 'model.js', 'what_if.js'].map((name) => path.join(process.argv[2], name));
try {
  execFileSync(process.execPath, [compiler, '--noEmit', '--allowJs', '--checkJs', '--strict', '--target', 'es2022',
                                  '--lib', 'es2022,dom,dom.iterable', ...scripts], {stdio: 'inherit'});
} catch {
  process.exit(1);
}
