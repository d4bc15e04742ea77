import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { untrusted } from '../platform/text/untrusted-schema.ts';
import { inDetail } from './detail-schema.ts';
import type { LongReply } from './long-reply.ts';
import { defineTool, type Tool, type ToolContext } from './tool.ts';

// A tool without services, which never reads its context.
const context = {} as ToolContext;
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const entry = z.object({ name: z.string(), note: inDetail(z.string()) });
const entries = (count: number, note = 'x'.repeat(90)) =>
  Array.from({ length: count }, (_, n) => ({ name: `entry ${n}`, note }));

function listing<Output extends z.ZodRawShape>(
  output: Output,
  result: z.output<z.ZodObject<Output>>,
  longReply: LongReply = { offset: true, detail: true },
): Tool {
  return defineTool({
    ...{ name: 'list', title: 'List', description: 'Lists.', effect: 'read' as const, scope: 'any:read', longReply },
    input: z.object({}),
    output: z.object(output),
    run: async () => result,
  });
}

describe('a reply of 1,500 tokens or less', () => {
  test('is sent as it is', async () => {
    const tool = listing({ list: z.array(entry) }, { list: entries(40) });
    const { data, text } = await tool.invoke({}, context);
    expect(data).toEqual({ list: entries(40) });
    expect(JSON.parse(text)).toEqual(data);
  });
});

describe('a longer reply', () => {
  test('leaves out fields before it leaves out entries', async () => {
    const tool = listing({ list: z.array(entry) }, { list: entries(100) });
    const { data } = await tool.invoke({}, context);
    expect(data['list']).toEqual(entries(100).map(({ name }) => ({ name })));
    expect(data['shortened']).toEqual({ next: 'Pass detail true for all fields and up to 5,000 tokens.' });
    const { data: detailed } = await tool.invoke({ detail: true }, context);
    expect(detailed).toEqual({ list: entries(100) });
  });

  test('shows the first entries, and all of them by offset', async () => {
    const tool = listing({ list: z.array(entry), others: z.array(z.string()) }, { list: entries(900), others: ['a'] });
    const seen: unknown[] = [];
    const others: unknown[] = [];
    for (let offset: unknown = 0; offset !== undefined; ) {
      const { data } = await tool.invoke({ offset }, context);
      expect(bytes(data)).toBeLessThanOrEqual(6_000);
      if (Array.isArray(data['list'])) seen.push(...data['list']);
      if (Array.isArray(data['others'])) others.push(...data['others']);
      offset = z.object({ nextOffset: z.number().optional() }).parse(data['shortened']).nextOffset;
    }
    // The last part is short enough for all fields.
    expect(seen).toMatchObject(entries(900).map(({ name }) => ({ name })));
    expect(others).toEqual(['a']);
  });

  test('names the page that follows, aligned with the one that was cut', async () => {
    const page = { data: entries(100), page: 3, pageSize: 100, totalCount: 400 };
    const paged = defineTool({
      ...{ name: 'list', title: 'List', description: 'Lists.', effect: 'read' as const, scope: 'any:read' },
      input: z.object({ page: z.number(), pageSize: z.number() }),
      output: z.object({ data: z.array(z.object({ name: z.string(), note: z.string() })), page: z.number() }),
      run: async () => page,
    });
    const { data } = await paged.invoke({ page: 3, pageSize: 100 }, context);
    const { lists, nextPage } = z
      .object({
        lists: z.record(z.string(), z.string()),
        nextPage: z.object({ page: z.number(), pageSize: z.number() }),
      })
      .parse(data['shortened']);
    expect(lists['data']).toMatch(/^1-\d+ of 100$/);
    // Entries 200 to 299 are page 3 of 100; smaller pages begin there too.
    expect((nextPage.page - 2) * nextPage.pageSize).toBe(200);
  });

  test('cuts records, long texts and lists within entries', async () => {
    const output = {
      files: z.record(z.string(), z.number()),
      text: untrusted(z.string(), { max: 100_000 }),
      list: z.array(z.object({ lines: z.array(z.string()) })),
    };
    const files = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`file ${n}.ts`, n]));
    const list = [{ lines: Array.from({ length: 500 }, (_, n) => `line ${n}`) }];
    const { data } = await listing(output, { files, text: 'x'.repeat(50_000), list }).invoke({}, context);
    expect(bytes(data)).toBeLessThanOrEqual(6_000);
    expect(data['text']).toMatch(/… \(50000 characters\)$/);
    expect(data['shortened']).toMatchObject({ lists: { files: expect.stringMatching(/^1-\d+ of 500$/) } });
  });

  test('does not cut a picture of ours, but a text of a page that looks like one', async () => {
    const jpeg = `/9j/${'A'.repeat(50_000)}`;
    const output = { screenshot: z.string(), title: untrusted(z.string(), { max: 100_000 }) };
    const { data } = await listing(output, { screenshot: jpeg, title: jpeg }).invoke({}, context);
    expect(data['screenshot']).toBe(jpeg);
    expect(String(data['title']).length).toBeLessThan(6_000);
  });

  test('corrects the numbers that count its entries', async () => {
    const output = { list: z.array(entry), sent: z.number(), total: z.number(), leftOut: z.number() };
    const lists = { list: { shown: 'sent', total: 'total', leftOut: 'leftOut' } };
    const result = { list: entries(900), sent: 900, total: 5_000, leftOut: 4_100 };
    const { data } = await listing(output, result, { offset: true, lists }).invoke({}, context);
    const shown = Array.isArray(data['list']) ? data['list'].length : 0;
    expect(data).toMatchObject({ sent: shown, total: 5_000, leftOut: 5_000 - shown });
    expect(data['shortened']).toMatchObject({ lists: { list: `1-${shown} of 5000` } });
  });

  test('is whole for a program', async () => {
    const tool = listing({ list: z.array(entry) }, { list: entries(900) });
    expect((await tool.invoke({}, { ...context, wholeReplies: true })).data).toEqual({ list: entries(900) });
    const { data } = await tool.invoke({ offset: 890 }, { ...context, wholeReplies: true });
    expect(data).toEqual({ list: entries(900).slice(890) });
  });
});
