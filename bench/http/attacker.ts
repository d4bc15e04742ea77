/** Attacks from a separate process, so that its work does not distort the measurement. Arguments: attack, URL, token, end time. */
import { attacks, runAttack } from './attacks.ts';

const [name, url = '', token = '', until = ''] = process.argv.slice(2);
const attack = attacks.find((candidate) => candidate.name === name);
if (!attack) throw new Error(`Unknown attack ${JSON.stringify(name)}`);
process.stdout.write(JSON.stringify(await runAttack(attack, url, token, Number(until))));
