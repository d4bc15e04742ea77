import { nameOf, roleOf } from './accessibility.ts';
import { rowName } from './control-groups.ts';
import { elementsOf, refOf } from './element-refs.ts';
import { comparable } from './fresh-elements.ts';
import { shownText } from './text.ts';
import { childrenOf, closest, queryAll, tagOf, walk } from './tree.ts';

export interface TableCell {
  ref: string;
  header: string;
}

/** The cells of the row with this name, in a table of questions; null without such a row. */
export function findRowCells({ ref, row }: { ref: string; row: string }): { ref: string; cells: TableCell[] } | null {
  const rows = elementsOf(ref)
    .flatMap((root) => walk(root))
    .filter((element) => tagOf(element) === 'tr' || ['row', 'radiogroup', 'group'].includes(roleOf(element)));
  const wanted = comparable(row);
  const found = rows.find(
    (element) => comparable(rowName(element)) === wanted || comparable(nameOf(element)) === wanted,
  );
  return found ? { ref: refOf(found), cells: cellsOf(found) } : null;
}

function cellsOf(row: Element): TableCell[] {
  const cells = [...childrenOf(row)];
  const table = closest(row, 'table, [role~="table" i], [role~="grid" i]');
  const header = table ? queryAll(table, 'thead tr, [role~="row" i], tr')[0] : undefined;
  const names = header ? [...childrenOf(header)].map((cell) => shownText(cell, 100)) : [];
  // The header of the rows has no column header in some tables.
  const shift = cells.length - names.length;
  return cells.map((cell, index) => ({ ref: refOf(cell), header: names[index - shift] ?? '' }));
}
