/** `npm run bench -- http` measures the throughput; `npm run bench -- http hostile` the latency under attack. */
const [mode = 'throughput'] = process.argv.slice(2);
if (mode === 'throughput') await import('./throughput.ts');
else if (mode === 'hostile') await import('./hostile.ts');
else throw new Error(`There is no measurement ${JSON.stringify(mode)}: throughput, hostile.`);
