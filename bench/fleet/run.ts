/** `npm run bench -- fleet` measures the job queue; `npm run bench -- fleet scans [hosts] [pages of each]` scans by several workers. */
await import(process.argv[2] === 'scans' ? './scans.ts' : './queue.ts');
