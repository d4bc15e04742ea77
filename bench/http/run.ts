/** `npm run bench -- http` measures throughput; `npm run bench -- http hostile` measures latency during attacks. */
const [mode = 'throughput'] = process.argv.slice(2);
if (mode === 'throughput') await import('./throughput.ts');
else if (mode === 'hostile') await import('./hostile.ts');
else throw new Error(`Unknown measurement ${JSON.stringify(mode)}; use throughput or hostile`);
