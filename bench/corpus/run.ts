/**
 * What the page engine makes of pages that published libraries draw: are their controls found, do values arrive, is a refusal taken
 * for one. Flags: names of libraries; `--failures` prints each miss.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBrowserPool } from '../../src/platform/browser/browser-pool.ts';
import type { CorpusLibrary } from '../../test/corpus/corpus-model.ts';
import { startCorpusServer } from '../../test/corpus/corpus-server.ts';
import { type FormResult, measureForm, missedBars, namesField } from '../../test/corpus/measure-forms.ts';
import { measureWidgets, type WidgetResult } from '../../test/corpus/measure-widgets.ts';
import { testHome } from '../../test/sites/workspace.ts';
import { installPackages } from '../install-packages.ts';
import { printTable } from '../table.ts';
import { allLibraries } from './libraries.ts';

const wanted = process.argv.slice(2).filter((flag) => !flag.startsWith('--'));
const printsFailures = process.argv.includes('--failures');
const libraries = allLibraries.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
installPackages(import.meta.dirname, 'the libraries of the corpus (bench/corpus)');

const folder = await mkdtemp(join(tmpdir(), 'assay-corpus-'));
const pool = createBrowserPool({ home: testHome });
const widgets: WidgetResult[] = [];
const forms: FormResult[] = [];
const broken: string[] = [];
try {
  await using server = await startCorpusServer(libraries, folder);
  for (const library of libraries) {
    await using opened = await pool.open({ allowedPrivateAddresses: undefined });
    // A library that asks other hosts has to do without them, as on a closed network.
    await opened.context.route(
      (url) => url.hostname !== '127.0.0.1',
      (route) => route.abort(),
    );
    const note = (what: string) => (error: unknown) => {
      broken.push(`${library.name} ${what}: ${error instanceof Error ? error.message : error}`);
      return [];
    };
    if (library.widgets.length > 0)
      widgets.push(...(await measureWidgets(opened.context, server, library).catch(note('widgets'))));
    for (const form of library.forms)
      forms.push(
        ...(await measureForm(opened.context, server, library, form)
          .then((one) => [one])
          .catch(note(form.name))),
      );
    process.stderr.write(`${library.name}\n`);
  }
} finally {
  await pool.close();
  await rm(folder, { recursive: true, force: true });
}

const isConfirmed = ({ result }: WidgetResult) => result.status === 'confirmed';
const refused = (results: readonly FormResult[]) => results.filter(({ form }) => form.truth !== 'accepted');
const named = (results: readonly FormResult[]) => results.filter(({ form }) => form.field !== undefined);
const count = <Item>(items: readonly Item[], test: (item: Item) => boolean) => items.filter(test).length;
const wrongButConfirmed = (results: readonly WidgetResult[]) =>
  count(results, (one) => isConfirmed(one) && !one.hasArrived);
const falselyAccepted = (results: readonly FormResult[]) =>
  count(refused(results), ({ outcome }) => outcome.verdict === 'accepted');
const rightlyNamed = ({ outcome, form }: FormResult) => namesField(outcome, form.field ?? '');

function rowOf(
  { name }: Pick<CorpusLibrary, 'name'>,
  mine: readonly WidgetResult[],
  sent: readonly FormResult[],
): string[] {
  const part = (n: number, of: number) => (of === 0 ? '' : `${n}/${of}`);
  const accepted = sent.filter(({ form }) => form.truth === 'accepted');
  return [
    name,
    part(
      count(mine, ({ isFound }) => isFound),
      mine.length,
    ),
    part(
      count(mine, ({ hasArrived }) => hasArrived),
      mine.length,
    ),
    mine.length === 0 ? '' : String(wrongButConfirmed(mine)),
    sent.length === 0 ? '' : String(falselyAccepted(sent)),
    part(count(named(sent), rightlyNamed), named(sent).length),
    part(
      count(accepted, ({ outcome }) => outcome.verdict === 'accepted'),
      accepted.length,
    ),
  ];
}

const rows = libraries.map((library) =>
  rowOf(
    library,
    widgets.filter((one) => one.library === library.name),
    forms.filter((one) => one.library === library.name),
  ),
);
const share = (n: number, of: number) => (of === 0 ? 1 : n / of);
const bars: [string, boolean][] = [
  [
    'found ≥ 97 %',
    share(
      count(widgets, ({ isFound }) => isFound),
      widgets.length,
    ) >= 0.97,
  ],
  [
    'arrived ≥ 97 %',
    share(
      count(widgets, ({ hasArrived }) => hasArrived),
      widgets.length,
    ) >= 0.97,
  ],
  ['wrong but confirmed: 0', wrongButConfirmed(widgets) === 0],
  ['accepted although refused: 0', falselyAccepted(forms) === 0],
  ['field named ≥ 90 %', share(count(named(forms), rightlyNamed), named(forms).length) >= 0.9],
  ['every page works', broken.length === 0],
];
if (printsFailures) {
  for (const { library, widget, isFound, result, received, hasArrived } of widgets)
    if (!isFound || !hasArrived || result.status !== 'confirmed')
      process.stderr.write(
        `${library} ${widget.name}: ${isFound ? 'found' : 'not found'}, ${result.status}, received ${JSON.stringify(received)} ${result.how.join(' > ')} ${result.problem}\n`,
      );
  for (const one of forms)
    if (missedBars(one).length > 0)
      process.stderr.write(
        `${one.library} ${one.form.name}: ${missedBars(one).join('; ')}; ${one.outcome.evidence.map(({ kind, text }) => `${kind}: ${text}`).join(' | ')}\n`,
      );
}
const missed = [...bars.filter(([, isMet]) => !isMet).map(([bar]) => bar), ...broken];
printTable(
  `Corpus: ${widgets.length} widgets and ${forms.length} submissions in ${libraries.length} libraries`,
  ['library', 'found', 'arrived', 'wrong but confirmed', 'accepted although refused', 'field named', 'acceptance seen'],
  [...rows, rowOf({ name: 'all' }, widgets, forms)],
  missed.length === 0 ? `met: ${bars.map(([bar]) => bar).join('; ')}` : `missed: ${missed.join('; ')}`,
);
process.exit(missed.length === 0 ? 0 : 1);
