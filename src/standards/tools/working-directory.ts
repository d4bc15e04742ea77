import * as z from 'zod';

export const workingDirectory = z.string().min(1).optional().describe('Project folder; default: the working directory');
