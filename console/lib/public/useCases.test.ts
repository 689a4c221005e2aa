import { expect, test } from 'vitest';
import { analyzeCompose } from '../compose/composeFile';
import { cvmNameProblem } from '../ids';
import { USE_CASES } from './useCases';

test('there are at least six, each with its own address', () => {
  expect(USE_CASES.length).toBeGreaterThanOrEqual(6);
  expect(new Set(USE_CASES.map(({ slug }) => slug)).size).toBe(USE_CASES.length);
});

test.each(USE_CASES.map((useCase) => [useCase.slug, useCase] as const))(
  'the use case %s is a valid app that names the secrets it uses',
  (slug, { compose, secrets }) => {
    const { findings, variables } = analyzeCompose(compose, { secretNames: secrets });
    // An informational finding: the app requests keys and evidence from the guest.
    const warnings = findings.map(({ code }) => code).filter((code) => code !== 'dstack_socket');
    // The model server's tag has no digest here, as the page says.
    expect(warnings).toEqual(slug === 'confidential-inference' ? ['image_no_digest'] : []);
    expect(variables.map(({ name }) => name).sort()).toEqual(secrets.toSorted());
    expect(cvmNameProblem(slug)).toBeNull();
  },
);
