import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bin, connectStdio, eras } from '../support/assay.ts';
import { lcov, newFolder } from '../support/folders.ts';

describe.each(eras)('a client of the %s era over stdio', (era) => {
  test('lists the tools with schemas and hints, and calls one', async () => {
    await using folder = await newFolder();
    await folder.write('lcov.info', lcov({ 'src/a.ts': [1, 1, 1, 0] }));
    await using client = await connectStdio(era, { cwd: folder.path });
    const { tools } = await client.listTools();
    const overall = tools.find(({ name }) => name === 'get_overall_coverage');
    expect(overall).toMatchObject({
      inputSchema: { type: 'object', required: ['lcovPath'] },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    const result = await client.callTool({ name: 'get_overall_coverage', arguments: { lcovPath: 'lcov.info' } });
    expect(result.structuredContent).toEqual({ overall: 75 });
    expect(result.content).toEqual([{ type: 'text', text: '{"overall":75}' }]);
  });

  test('gets the instructions', async () => {
    await using client = await connectStdio(era);
    expect(client.getInstructions()).toContain('get_patch_coverage');
  });

  test('gets the nearest tool name for an unknown one', async () => {
    await using client = await connectStdio(era);
    await expect(client.callTool({ name: 'get_overal_coverage', arguments: {} })).rejects.toThrow(
      /not found\. Did you mean get_overall_coverage\?/,
    );
  });

  test('cannot call a tool that read-only hides', async () => {
    await using client = await connectStdio(era, { args: ['--read-only'] });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('start_coverage_snapshot');
    await expect(client.callTool({ name: 'start_coverage_snapshot', arguments: { lcovPath: 'x' } })).rejects.toThrow(
      /read-only/,
    );
  });

  test('reads prompts, resources and completions', async () => {
    await using folder = await newFolder();
    await folder.write('packages/a/coverage/lcov.info', lcov({ 'a.ts': [1] }));
    await using client = await connectStdio(era, { cwd: folder.path, env: { ASSAY_HOME: join(folder.path, 'home') } });
    const { prompts } = await client.listPrompts();
    expect(prompts.find(({ name }) => name === 'check_coverage_of_change')).toMatchObject({
      arguments: [{ name: 'lcovPath' }, { name: 'base' }],
    });
    const prompt = await client.getPrompt({ name: 'check_coverage_of_change', arguments: { lcovPath: 'x/lcov.info' } });
    expect(JSON.stringify(prompt.messages)).toContain('x/lcov.info');
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'check_coverage_of_change' },
      argument: { name: 'lcovPath', value: 'pack' },
    });
    expect(completion.values).toEqual(['packages/a/coverage/lcov.info']);

    const lcovPath = 'packages/a/coverage/lcov.info';
    const started = await client.callTool({ name: 'start_coverage_snapshot', arguments: { lcovPath } });
    const snapshotId = JSON.parse(JSON.stringify(started.structuredContent)).snapshotId;
    const uri = `coverage://snapshots/${snapshotId}`;
    const { resources } = await client.listResources();
    expect(resources.map((resource) => resource.uri)).toContain(uri);
    const { contents } = await client.readResource({ uri });
    expect(JSON.parse(contents[0] && 'text' in contents[0] ? contents[0].text : '')).toMatchObject({ id: snapshotId });
    await expect(client.readResource({ uri: 'coverage://snapshots/nothing' })).rejects.toThrow(/not found/i);
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow(/Known prompts: check_coverage_of_change/);
  });

  test('gets an actionable error for bad arguments, and the next call works', async () => {
    await using folder = await newFolder();
    await folder.write('lcov.info', lcov({ 'src/a.ts': [1] }));
    await using client = await connectStdio(era, { cwd: folder.path });
    const call = (args: Record<string, unknown>) => client.callTool({ name: 'get_file_coverage', arguments: args });
    expect(await call({ lcovPath: 'lcov.info', filePaths: 'src/a.ts' })).toMatchObject({
      isError: true,
      content: [
        {
          text: 'Error: Invalid arguments for get_file_coverage: filePaths: expected array, got "src/a.ts".',
        },
        { text: 'Correct the arguments by the input schema of the tool, then call it again.' },
      ],
    });
    expect(await call({ lcovPath: 'lcov.info', filePaths: ['src/a.ts'] })).toMatchObject({
      structuredContent: { files: { 'src/a.ts': 100 } },
    });
  });

  test('gets progress of a long report, and can cancel it', async () => {
    await using folder = await newFolder();
    const record = `SF:src/file.ts\n${Array.from({ length: 5000 }, (_, i) => `DA:${i + 1},1\n`).join('')}end_of_record\n`;
    await folder.write('big.info', record.repeat(2500));
    await using client = await connectStdio(era, { cwd: folder.path });
    const heard: number[] = [];
    const call = { name: 'get_overall_coverage', arguments: { lcovPath: 'big.info' } };
    const result = await client.callTool(call, { onprogress: ({ progress }) => void heard.push(progress) });
    expect(result.structuredContent).toEqual({ overall: 100 });
    expect(heard.length).toBeGreaterThan(1);
    expect(heard).toEqual(heard.toSorted((a, b) => a - b));

    const cancel = new AbortController();
    const cancelled = client.callTool(call, { signal: cancel.signal, onprogress: () => cancel.abort() });
    await expect(cancelled).rejects.toThrow();
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });
});

describe('the stdio server process', () => {
  const start = () => spawn(process.execPath, [bin, 'serve'], { stdio: 'pipe' });
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  };

  test('answers a client of 2025-06-18 in its revision, and prints only the protocol', async () => {
    const child = start();
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    const [line] = await once(child.stdout, 'data');
    expect(JSON.parse(String(line))).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
    child.stdin.end();
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('exits on %s', async (signal) => {
    const child = start();
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    await once(child.stdout, 'data');
    child.kill(signal);
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  });

  test('answers requests that came before the end of input', async () => {
    await using folder = await newFolder();
    const lcovPath = await folder.write('lcov.info', lcov({ a: [1, 0] }));
    const child = start();
    const call = { name: 'get_overall_coverage', arguments: { lcovPath } };
    const request = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call };
    child.stdin.end(`${JSON.stringify(initialize)}\n${JSON.stringify(request)}\n`);
    let answered = '';
    child.stdout.on('data', (chunk: Buffer) => {
      answered += chunk.toString();
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(answered).toContain('{"overall":50}');
  });

  test('exits when the client disconnects during a call', async () => {
    await using folder = await newFolder();
    const lcovPath = await folder.write('big.info', lcov({ a: [1, 0] }).repeat(3_000_000));
    const child = start();
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    await once(child.stdout, 'data');
    const call = { name: 'get_overall_coverage', arguments: { lcovPath } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`);
    child.stdout.destroy();
    child.stdin.destroy();
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  });

  test('survives a message of 100 MB and malformed JSON, and answers the next request', async () => {
    const child = start();
    const answers: { id: unknown; error?: { code: number } }[] = [];
    let buffered = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const lines = (buffered + chunk).split('\n');
      buffered = lines.pop() ?? '';
      for (const line of lines) answers.push(JSON.parse(line));
    });
    child.stdin.write(`${JSON.stringify(initialize)}\n{not json\n`);
    child.stdin.write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"');
    const megabyte = 'x'.repeat(1 << 20);
    for (let i = 0; i < 100; i++) if (!child.stdin.write(megabyte)) await once(child.stdin, 'drain');
    child.stdin.write('"}}\n{"jsonrpc":"2.0","id":8,"method":"tools/list"}\n');
    await expect.poll(() => answers.length).toBe(4);
    const answerTo = (id: unknown) => answers.find((answer) => answer.id === id);
    expect(answerTo(1)).toMatchObject({ result: { serverInfo: { name: 'assay' } } });
    expect(answerTo(null)).toMatchObject({ error: { code: -32700 } });
    expect(answerTo(7)).toMatchObject({ error: { code: -32600 } });
    expect(answerTo(8)).toMatchObject({ result: { tools: expect.any(Array) } });
    child.stdin.end();
    await once(child, 'close');
  });
});
