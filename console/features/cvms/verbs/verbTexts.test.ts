import { expect, it } from 'vitest';
import type { VerbRequest } from '../../../lib/cvms/verbRequest';
import { confirmLabelOf, titleOf } from './verbTexts';

const app = (name: string) => ({ app_id: name, name });
const cvm = (name: string) => ({ id: name, name });
const both = (request: Omit<VerbRequest, 'teamSlug'>, count: number) => {
  const asked = { ...request, teamSlug: 'acme' } as VerbRequest;
  return [titleOf(asked), confirmLabelOf(asked, count)];
};

it('names the same things in the title and on the button', () => {
  const apps = ['api', 'jobs', 'web', 'docs'].map(app) as VerbRequest['apps'] & object;
  const cvms = ['web-1', 'web-2'].map(cvm) as VerbRequest['cvms'] & object;
  expect(both({ verb: 'stop', apps }, 5)).toEqual(['Stop 4 apps?', 'Stop 4 apps']);
  expect(both({ verb: 'delete', apps: apps.slice(0, 1) }, 1)).toEqual(['Delete app api?', 'Delete app']);
  expect(both({ verb: 'restart', cvms }, 2)).toEqual(['Restart 2 CVMs?', 'Restart 2 CVMs']);
  expect(both({ verb: 'restart', cvms: cvms.slice(0, 1) }, 1)).toEqual(['Restart web-1?', 'Restart']);
});
