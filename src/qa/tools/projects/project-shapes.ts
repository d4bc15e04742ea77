import * as z from 'zod';
import type { QaProject } from '../../store/qa-store.ts';
import { isoTime } from '../shared/run-shapes.ts';

export const projectId = z.string().min(1).max(100).describe('QA project id, from qa_project_list');

/** The arguments that describe a project. */
export const projectArguments = {
  projectName: z.string().min(1).max(255).describe('Name of the project, one line'),
  description: z.string().max(10_000).describe('What the site is and does'),
  url: z.string().max(2000).describe('Address of the site to test, e.g. https://shop.example.com'),
  testRequirements: z.string().max(20_000).describe('What to test, in prose; guides the website scan'),
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

export function presentProject({ id, name, description, url, testRequirements, createdAt, updatedAt }: QaProject) {
  return {
    projectId: id,
    id,
    projectName: name,
    name,
    ...(description !== null && { description }),
    ...(url !== null && { url }),
    ...(testRequirements !== null && { testRequirements }),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
