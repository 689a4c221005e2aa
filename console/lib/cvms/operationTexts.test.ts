import { describe, expect, it } from 'vitest';
import document from '../../../generated/openapi.json';
import { notCancellableText, type NotCancellableCode } from './notCancellable';
import { stepIdOf, stepLabels, STEPS, stepText } from './steps';

const { schemas } = document.components;

describe('steps', () => {
  it('have a stored name and a label for each ID of the API', () => {
    expect(Object.keys(STEPS)).toEqual(schemas.OperationStepId.enum);
    expect(Object.keys(stepLabels)).toEqual(schemas.OperationStepId.enum);
    for (const [id, name] of Object.entries(STEPS)) expect(stepIdOf(name)).toBe(id);
    expect(stepIdOf('a step of an earlier version')).toBeNull();
    expect(stepText('prepare the VM on the host')).toBe('Prepare the VM on the host');
    expect(stepText('pull_images')).toBe('pull images');
  });
});

describe('notCancellableText', () => {
  it('has a sentence for each API code', () => {
    const facts = { state: 'succeeded', rollout_id: 'rol_7' };
    for (const code of schemas.NotCancellableCode.enum as NotCancellableCode[])
      expect(notCancellableText(code, facts)).toMatch(/^[A-Z].*\.$/);
    expect(notCancellableText('part_of_rollout', facts)).toContain('rol_7');
  });
});
