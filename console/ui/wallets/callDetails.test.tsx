import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { chainNamed, type ChainDefinition } from '../../lib/kms/chains';
import { contractCall } from '../../lib/kms/contractCalls';
import { CallDetails, type Sender } from './CallDetails';
import { forgetSentCall, saveSentCall } from './sentCalls';

const BASE = chainNamed('base') as ChainDefinition;
const CONTRACT = `0x${'a1'.repeat(20)}`;
const PENDING = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

const shown = (options: { sender?: Sender; safeName?: string }) =>
  renderToStaticMarkup(
    <CallDetails
      call={contractCall('acceptOwnership')}
      contract={CONTRACT}
      chain={BASE}
      onDone={() => undefined}
      {...options}
    />,
  )
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]+>/g, '');

it('names the account that must send a transaction', () => {
  expect(shown({})).toContain('from the owner’s account, with no value');
  const text = shown({ sender: { account: PENDING, advice: 'Choose it.' }, safeName: 'Accept ownership' });
  expect(text).toContain(`from ${PENDING}, with no value`);
  expect(text).not.toContain('the owner’s account');
  expect(text).toContain('Download Safe file');
});

it('waits for a transaction from an earlier visit, and offers no second one as text', () => {
  const id = { chain_id: BASE.id, contract: CONTRACT, data: contractCall('acceptOwnership').data };
  const hash = `0x${'9'.repeat(64)}`;
  saveSentCall(id, PENDING, hash);
  const text = shown({ safeName: 'Accept ownership' });
  expect(text).toContain('A transaction was already sent.');
  expect(text).toContain('Send another');
  expect(text).not.toContain('Foundry');
  expect(text).not.toContain('Download Safe file');
  forgetSentCall(id);
  expect(shown({})).not.toContain('already sent');
});
