import { describe, expect, it } from 'vitest';
import { lockSubset } from './lockSubset';

const packages = {
  '': { version: '1.0.0' },
  'node_modules/app': {
    version: '1.0.0',
    dependencies: { leaf: '^1' },
    optionalDependencies: { native: '^1' },
  },
  'node_modules/app/node_modules/leaf': { version: '1.5.0', dependencies: { deep: '^1' } },
  'node_modules/leaf': { version: '2.0.0' },
  'node_modules/deep': { version: '1.0.0', dependencies: { app: '^1' } },
  'node_modules/unrelated': { version: '3.0.0' },
  'node_modules/broken': { version: '1.0.0', dependencies: { missing: '^1' } },
};

describe('a subset of the lock file', () => {
  it('contains exactly a package’s dependencies, including nested versions and cycles', () => {
    expect(Object.keys(lockSubset(packages, ['app']))).toEqual([
      'node_modules/app',
      'node_modules/app/node_modules/leaf',
      'node_modules/deep',
    ]);
  });

  it('names a dependency missing from the lock file', () => {
    expect(() => lockSubset(packages, ['broken'])).toThrow(
      'package-lock.json has no missing, which node_modules/broken needs',
    );
  });
});
