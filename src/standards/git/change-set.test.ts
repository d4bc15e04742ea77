import { expect, test } from 'vitest';
import { parseRawNumstat } from './change-set.ts';

test('parses counts, renames, binary files, links and submodules', () => {
  const id = '0'.repeat(40);
  const raw = [
    `:100644 100644 ${id} ${id} M\0a\nb\t"c.ts`,
    `:100644 100644 ${id} ${id} R090\0old.ts\0new.ts`,
    `:000000 100644 ${id} ${id} A\0pic.png`,
    `:100644 000000 ${id} ${id} D\0gone.ts`,
    `:000000 120000 ${id} ${id} A\0link`,
    `:160000 160000 ${id} ${id} M\0sub`,
  ];
  const counts = [
    '3\t1\ta\nb\t"c.ts',
    '2\t2\t\0old.ts\0new.ts',
    '-\t-\tpic.png',
    '0\t9\tgone.ts',
    '1\t0\tlink',
    '1\t1\tsub',
  ];
  const changes = parseRawNumstat(`${[...raw, ...counts].join('\0')}\0`);
  expect(changes.map(({ path, kind, added, removed, binary }) => [path, kind, added, removed, binary])).toEqual([
    ['a\nb\t"c.ts', 'modified', 3, 1, false],
    ['new.ts', 'renamed', 2, 2, false],
    ['pic.png', 'added', 0, 0, true],
    ['gone.ts', 'deleted', 0, 9, false],
    ['link', 'added', 0, 0, true],
    ['sub', 'modified', 0, 0, true],
  ]);
  expect(changes[1]?.from).toBe('old.ts');
});
