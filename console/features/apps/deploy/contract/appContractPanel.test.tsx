import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { chainNamed, type ChainDefinition } from '../../../../lib/kms/chains';
import { AppContractPanel } from './AppContractPanel';
import type { SavedContract } from './savedContract';

const app = { app_id: 'ab'.repeat(20), deployer_address: `0x${'f1'.repeat(20)}` };
const hash = `0x${'9'.repeat(64)}`;

const shown = (saved: SavedContract, otherDevice: typeof app | null = null) =>
  renderToStaticMarkup(
    <AppContractPanel
      needed={{
        chain_id: 8453,
        kms_contract_address: `0x${'a1'.repeat(20)}`,
        compose_hash: 'bb'.repeat(32),
        device_id: '1f'.repeat(32),
      }}
      chain={chainNamed('base') as ChainDefinition}
      saved={saved}
      otherDevice={otherDevice}
      found={null}
      check={() => Promise.reject(new Error('not asked'))}
      onOwner={() => undefined}
      onSave={() => undefined}
      onDeployed={() => undefined}
      onStop={() => undefined}
    />,
  ).replace(/<style.*?<\/style>/gs, '');

it('says that the user deployed a contract only if their wallet sent the transaction', () => {
  expect(shown({ hash, app })).toContain('You deployed a contract for this app.');
  const named = shown({ app });
  expect(named).toContain('You chose a contract for this app.');
  expect(named).not.toContain('You deployed');
});

it('offers an alternative to the contract of an earlier visit', () => {
  for (const saved of [{ app }, { hash, app }]) {
    expect(shown(saved)).toContain('Use it');
    expect(shown(saved)).toContain('Use another');
  }
});

it('offers to allow the device in a contract deployed for another one', () => {
  const offered = shown({}, app);
  expect(offered).toContain('Your contract for this app was deployed for another device.');
  expect(offered).toContain('Data of addDevice(bytes32)');
  expect(offered).toContain(`0x2a819728${'1f'.repeat(32)}`);
  expect(offered).toContain('Deploy another');
  // Progress for this device takes precedence.
  expect(shown({ hash }, app)).not.toContain('for another device');
  expect(shown({ app }, app)).toContain('You chose a contract for this app.');
});
