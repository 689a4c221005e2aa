import { expect, test } from 'vitest';
import { analyseCompose } from '../compose/composeFile';
import { cvmNameProblem } from '../ids';
import { USE_CASES } from './useCases';

test('there are at least six, each with an address of its own', () => {
  expect(USE_CASES.length).toBeGreaterThanOrEqual(6);
  expect(new Set(USE_CASES.map(({ slug }) => slug)).size).toBe(USE_CASES.length);
});

test.each(USE_CASES.map((useCase) => [useCase.slug, useCase] as const))(
  'the use case %s is a valid app that names the secrets it uses',
  (slug, { compose, secrets }) => {
    const { findings, variables } = analyseCompose(compose, { secretNames: secrets });
    const known = [
      // Tags, because a digest in our source would age.
      'image_no_digest',
      // Notes on what the app is for: it calls out, or asks the guest for evidence.
      'ports_none',
      'dstack_socket',
    ];
    expect(findings.map(({ code }) => code).filter((code) => !known.includes(code))).toEqual([]);
    expect(variables.map(({ name }) => name)).toEqual(secrets);
    expect(cvmNameProblem(slug)).toBeNull();
  },
);
