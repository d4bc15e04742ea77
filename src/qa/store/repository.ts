import type { Kysely } from 'kysely';
import type * as z from 'zod';
import type { Tables } from '../../platform/store/schema.ts';
import { damagedRowFailure } from '../../platform/store/store-failures.ts';
import type { CreateId, IdPrefix } from '../ids.ts';
import { type ColumnKind, type QaTableName, type QaTables, qaColumns } from './qa-tables.ts';
import { createPage, type PageRequest, type ResultPage } from './result-page.ts';

type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;
type Columns<Table extends QaTableName> = (typeof qaColumns)[Table];
type JsonColumn<Table extends QaTableName> = {
  [Column in keyof Columns<Table>]: Columns<Table>[Column] extends 'json' ? Column : never;
}[keyof Columns<Table>];

/** How the JSON columns of a table are parsed. */
export type JsonShapes<Table extends QaTableName> = { [Column in JsonColumn<Table>]: z.ZodType };

/** A row with names in camel case, parsed JSON and null for missing values. */
export type Entity<Table extends QaTableName, Shapes extends JsonShapes<Table>> = {
  [Column in keyof QaTables[Table] as Camel<Column>]: Column extends keyof Shapes
    ? Shapes[Column] extends z.ZodType
      ? z.output<Shapes[Column]>
      : never
    : QaTables[Table][Column];
};

type NullableKeys<Of> = { [Key in keyof Of]: null extends Of[Key] ? Key : never }[keyof Of];
type GeneratedColumn = 'id' | 'createdAt' | 'updatedAt';

/** A row to insert: id and timestamps are generated, nullable columns are optional. */
type NewRow<Of> = Omit<Of, NullableKeys<Of> | (GeneratedColumn & keyof Of)> &
  Partial<Pick<Of, NullableKeys<Of> | (GeneratedColumn & keyof Of)>>;

/** Filters rows by column values; a list matches any of its values. */
type RowFilter<Of> = { [Key in keyof Of]?: Of[Key] | readonly Of[Key][] | undefined };
/** Columns that are missing or undefined stay unchanged. */
export type RowChanges<Of> = { [Key in keyof Of]?: Of[Key] | undefined };
/** `-` sorts in descending order. */
type RowOrder<Of> = readonly ((keyof Of & string) | `-${keyof Of & string}`)[];

/**
 * One QA table. Rows come oldest first, so that pages stay stable when rows are added. Reading a row that was changed outside
 * Assay and no longer fits its columns throws `STORE_DAMAGED`.
 */
export interface QaRepository<Of> {
  insert(values: NewRow<Of>): Promise<Of>;
  insertAll(values: readonly NewRow<Of>[]): Promise<Of[]>;
  get(id: string): Promise<Of | undefined>;
  /** The oldest that matches. */
  first(match: RowFilter<Of>): Promise<Of | undefined>;
  newest(match: RowFilter<Of>): Promise<Of | undefined>;
  list(match: RowFilter<Of>, options?: { newestFirst?: boolean; limit?: number }): Promise<Of[]>;
  page(match: RowFilter<Of>, request: PageRequest, options?: { newestFirst?: boolean }): Promise<ResultPage<Of>>;
  count(match: RowFilter<Of>): Promise<number>;
  /** Returns undefined if the row does not exist. */
  update(id: string, changes: RowChanges<Of>): Promise<Of | undefined>;
  updateAll(match: RowFilter<Of>, changes: RowChanges<Of>): Promise<number>;
  remove(id: string): Promise<boolean>;
  removeAll(match: RowFilter<Of>): Promise<number>;
}

type Cell = string | number | null;
type AnyRow = Record<string, Cell>;
type Condition = [column: string, operator: '=' | 'in' | 'is', value: Cell | Cell[]];
/** Untyped tables: names and columns come from `qaColumns`, never from input. */
type AnyTables = Record<string, AnyRow>;

interface TableDefinition<Table extends QaTableName, Shapes extends JsonShapes<Table>> {
  table: Table;
  prefix: IdPrefix;
  json: Shapes;
  /** Sort keys before the creation time. */
  order?: RowOrder<Entity<Table, Shapes>>;
}

const MAX_ROWS_PER_STATEMENT = 100;
const commonColumns = { id: 'text', owner: 'text', created_at: 'bigint', updated_at: 'bigint' } as const;

export function createQaRepository<Table extends QaTableName, Shapes extends JsonShapes<Table>>(
  db: Kysely<Tables>,
  { table, prefix, json, order = [] }: TableDefinition<Table, Shapes>,
  createId: CreateId,
): QaRepository<Entity<Table, Shapes>> {
  type Of = Entity<Table, Shapes>;
  const sql = db.withTables<AnyTables>();
  const name: string = table;
  const shapes = new Map<string, z.ZodType>(Object.entries(json));
  const kinds = new Map<string, ColumnKind>(Object.entries({ ...commonColumns, ...qaColumns[table] }));
  const nullable = Object.entries(qaColumns[table]).flatMap(([column, kind]) => (kind.endsWith('?') ? [column] : []));
  const ordered = [...order, 'createdAt', 'id'].map(
    (key) => [snake(key.replace('-', '')), key.startsWith('-')] as const,
  );

  function toRow(values: object): AnyRow {
    const cells = Object.entries(values).flatMap(([key, value]: [string, unknown]): [string, Cell][] => {
      const column = snake(key);
      if (value === undefined) return [];
      return [[column, shapes.has(column) ? JSON.stringify(value) : cell(value, column)]];
    });
    return Object.fromEntries(cells);
  }

  function parseCell(column: string, value: Cell): unknown {
    const shape = shapes.get(column);
    return shape ? shape.parse(JSON.parse(String(value))) : value;
  }

  function toEntity(row: AnyRow, parse: typeof parseCell): Of {
    const entries = Object.entries(row).map(([column, value]) => [camel(column), parse(column, value)]);
    // The columns are those of the table and their JSON is parsed, so this is the entity.
    return Object.fromEntries(entries) as Of;
  }

  /** The entity of a row that was just made: an error here is a bug of the caller, not damage. */
  function fromNewRow(row: AnyRow): Of {
    return toEntity(row, parseCell);
  }

  function fromRow(row: AnyRow): Of {
    return toEntity(row, (column, value) => {
      const kind = kinds.get(column);
      if (kind && !isOfKind(value, kind)) throw damagedRowFailure(name, row['id'], column);
      try {
        return parseCell(column, value);
      } catch (error) {
        throw damagedRowFailure(name, row['id'], column, error);
      }
    });
  }

  function newRow(values: NewRow<Of>): AnyRow {
    const at = Date.now();
    const empty = Object.fromEntries(nullable.map((column) => [column, null]));
    return { ...empty, id: createId(prefix, at), created_at: at, updated_at: at, ...toRow(values) };
  }

  function matching(match: RowFilter<Of>): Condition[] {
    return Object.entries(match).flatMap(([key, value]: [string, unknown]): Condition[] => {
      if (value === undefined) return [];
      const column = snake(key);
      if (value === null) return [[column, 'is', null]];
      if (!Array.isArray(value)) return [[column, '=', cell(value, column)]];
      // An empty list matches nothing; PostgreSQL rejects an empty IN list.
      return value.length === 0 ? [['id', 'is', null]] : [[column, 'in', value.map((one) => cell(one, column))]];
    });
  }

  function select(match: RowFilter<Of>, newestFirst = false) {
    let query = sql.selectFrom(name).selectAll();
    for (const [column, operator, value] of matching(match)) query = query.where(column, operator, value);
    if (newestFirst) return query.orderBy('created_at', 'desc').orderBy('id', 'desc');
    for (const [column, falling] of ordered) query = query.orderBy(column, falling ? 'desc' : 'asc');
    return query;
  }

  async function count(match: RowFilter<Of>): Promise<number> {
    let query = sql.selectFrom(name).select((columns) => columns.fn.countAll<number>().as('number'));
    for (const [column, operator, value] of matching(match)) query = query.where(column, operator, value);
    return Number((await query.executeTakeFirstOrThrow()).number);
  }

  async function insertAll(values: readonly NewRow<Of>[]): Promise<Of[]> {
    const rows = values.map(newRow);
    for (let at = 0; at < rows.length; at += MAX_ROWS_PER_STATEMENT)
      await sql
        .insertInto(name)
        .values(rows.slice(at, at + MAX_ROWS_PER_STATEMENT))
        .execute();
    return rows.map(fromNewRow);
  }

  return {
    insertAll,
    count,
    async insert(values) {
      const row = newRow(values);
      await sql.insertInto(name).values(row).execute();
      return fromNewRow(row);
    },
    async get(id) {
      const row = await sql.selectFrom(name).selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },
    async first(match) {
      const row = await select(match).limit(1).executeTakeFirst();
      return row && fromRow(row);
    },
    async newest(match) {
      const row = await select(match, true).limit(1).executeTakeFirst();
      return row && fromRow(row);
    },
    async list(match, { newestFirst, limit } = {}) {
      const query = select(match, newestFirst);
      return (await (limit === undefined ? query : query.limit(limit)).execute()).map(fromRow);
    },
    async page(match, request, { newestFirst } = {}) {
      const { page, pageSize } = request;
      const [rows, total] = await Promise.all([
        select(match, newestFirst)
          .limit(pageSize)
          .offset((page - 1) * pageSize)
          .execute(),
        count(match),
      ]);
      return createPage(rows.map(fromRow), total, request);
    },
    async update(id, changes) {
      const row = await sql
        .updateTable(name)
        .set({ updated_at: Date.now(), ...toRow(changes) })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && fromRow(row);
    },
    async updateAll(match, changes) {
      let query = sql.updateTable(name).set({ updated_at: Date.now(), ...toRow(changes) });
      for (const [column, operator, value] of matching(match)) query = query.where(column, operator, value);
      return Number((await query.executeTakeFirst()).numUpdatedRows);
    },
    async remove(id) {
      const { numDeletedRows } = await sql.deleteFrom(name).where('id', '=', id).executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async removeAll(match) {
      let query = sql.deleteFrom(name);
      for (const [column, operator, value] of matching(match)) query = query.where(column, operator, value);
      return Number((await query.executeTakeFirst()).numDeletedRows);
    },
  };
}

function cell(value: unknown, column: string): Cell {
  // PostgreSQL rejects NUL in text.
  if (typeof value === 'string') return value.replaceAll('\0', '');
  if (typeof value === 'number' || value === null) return value;
  throw new TypeError(`the column ${column} cannot hold a ${typeof value}`);
}

function isOfKind(value: unknown, kind: ColumnKind): boolean {
  if (value === null) return kind.endsWith('?');
  return typeof value === (/^(integer|bigint|real)/.test(kind) ? 'number' : 'string');
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
