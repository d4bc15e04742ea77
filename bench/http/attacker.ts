/** A process that attacks, so that its work does not delay whoever measures: name of the attack, address, token, end. */
import { attacks, carryOut } from './attacks.ts';

const [name, url = '', token = '', until = ''] = process.argv.slice(2);
const attack = attacks.find((candidate) => candidate.name === name);
if (!attack) throw new Error(`There is no attack ${JSON.stringify(name)}.`);
process.stdout.write(JSON.stringify(await carryOut(attack, url, token, Number(until))));
