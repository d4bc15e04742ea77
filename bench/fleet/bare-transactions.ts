import { once } from 'node:events';
import pg from 'pg';

/**
 * The least that a queue can do: for each job one transaction that changes its row at its start and one at its end, on as
 * many connections as there are workers. It starts on the first line of stdin and prints `done`.
 */
const [url = '', connections = '1', first = '0', last = '0'] = process.argv.slice(2);
const clients = Array.from({ length: Number(connections) }, () => new pg.Client({ connectionString: url }));
await Promise.all(clients.map((client) => client.connect()));
process.stdout.write('ready\n');
await once(process.stdin, 'data');
let next = Number(first);
await Promise.all(
  clients.map(async (client) => {
    while (next < Number(last)) {
      const id = next++;
      await client.query(`update bare set state = 'running', attempts = attempts + 1 where id = $1 returning *`, [id]);
      await client.query(`update bare set state = 'succeeded', result = $2 where id = $1`, [id, 'null']);
    }
    await client.end();
  }),
);
process.stdout.write('done\n');
