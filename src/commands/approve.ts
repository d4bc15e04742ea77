import { readSettings, type Setting } from '../platform/settings.ts';
import { approveWeakenings, formatWeakening } from '../standards/index.ts';
import { type Command, printStdout } from './command.ts';
import { createStopSignal } from './startup/process-signals.ts';

const text = (flag: string, placeholder: string, help: string): Setting<string | undefined> => ({
  flag,
  env: '',
  placeholder,
  help,
  parse: (raw) => raw || undefined,
});
const key = text('key', 'file', 'PEM file of the Ed25519 private key of an approver; without it, nothing is signed.');
const reason = text('reason', 'text', 'Why the weakenings are wanted; part of the approval.');
const spec = text('spec', 'file', 'File of the working spec; default: .caws/working-spec.yaml.');
const only = text('only', 'id,id', 'Approve only weakenings whose id starts with one of these; default: all.');

/** For people who review: lists what a change weakens and signs that it is wanted. */
export const approveCommand: Command = {
  name: 'approve',
  usage: '',
  summary:
    'List the rules and tests that the change in this folder weakens, and sign an approval with --key and --reason. It counts if the policy at the base names the key.',
  settings: [key, reason, spec, only],
  async run(argv) {
    const values = readSettings([key, reason, spec, only], argv, process.env);
    const { weakenings, file } = await approveWeakenings({
      cwd: process.cwd(),
      specFile: values.get(spec),
      keyFile: values.get(key),
      reason: values.get(reason),
      only: values.get(only)?.split(','),
      signal: createStopSignal(),
    });
    for (const weakening of weakenings)
      await printStdout(`${weakening.id.slice(0, 12)} ${weakening.kind} ${formatWeakening(weakening)}`);
    if (weakenings.length === 0) await printStdout('The change weakens nothing that needs an approval.');
    else if (file === undefined) await printStdout('Nothing is signed. Approve with --key <file> --reason <text>.');
    else await printStdout(`Approved ${weakenings.length} in ${file}. Commit the file with the change.`);
    return 0;
  },
};
