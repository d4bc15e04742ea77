/**
 * `npm run bench -- http` measures throughput, `npm run bench -- http hostile` latency during attacks, and
 * `npm run bench -- http messages` what the largest messages cost for each tool.
 */
const [mode = 'throughput'] = process.argv.slice(2);
if (mode === 'throughput') await import('./throughput.ts');
else if (mode === 'hostile') await import('./hostile.ts');
else if (mode === 'messages') await import('./messages.ts');
else throw new Error(`Unknown measurement ${JSON.stringify(mode)}; use throughput, hostile or messages`);
