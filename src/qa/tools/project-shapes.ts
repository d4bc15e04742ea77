import * as z from 'zod';
import type { Project } from '../store/store.ts';
import { time } from './run-shapes.ts';

export const projectId = z.string().min(1).max(100).describe('Project');

/** The arguments that describe a project. */
export const projectArguments = {
  projectName: z.string().min(1).max(255).describe('Name'),
  description: z.string().max(10_000).describe('What it is about'),
  url: z.string().max(2000).describe('Target site'),
  testRequirements: z.string().max(20_000).describe('What to test'),
};

export const projectShape = {
  projectId: z.string(),
  id: z.string(),
  projectName: z.string(),
  name: z.string(),
  description: z.string().optional(),
  url: z.string().optional(),
  testRequirements: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
};

export function presentProject({ id, name, description, url, testRequirements, createdAt, updatedAt }: Project) {
  return {
    projectId: id,
    id,
    projectName: name,
    name,
    ...(description !== null && { description }),
    ...(url !== null && { url }),
    ...(testRequirements !== null && { testRequirements }),
    createdAt: time(createdAt),
    updatedAt: time(updatedAt),
  };
}
