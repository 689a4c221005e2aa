import { Button } from '../../ui/controls/Button';
import styled from '@emotion/styled';
import type { CvmEvidence } from '../../../generated/api/types.gen';
import { attestCommand, evidenceOf } from '../../lib/attestation/answer';
import { evidenceBundle } from '../../lib/attestation/evidenceBundle';
import { policyFile } from '../../lib/attestation/policyFile';
import type { Policy } from '../../lib/attestation/types';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { saveFile } from '../../ui/controls/saveFile';
import { Panel } from '../../ui/layout/Panel';
import { space, type } from '../../ui/theme';

const Buttons = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(3), margin: `${space(3)} 0` });
const Text = styled('p')({ ...type.body, maxWidth: '72ch' });

/** The same verifier as a command, independent of this console. */
export function OfflinePanel({ answer, policy }: { answer: CvmEvidence; policy: Policy }) {
  const { evidence, name, vm_uuid, collected_at } = answer;
  if (!evidence) return null;
  const files = { evidence: `${name}.evidence.json`, policy: `${name}.policy.json` };
  const save = {
    evidence: () =>
      saveFile(
        files.evidence,
        evidenceBundle(evidenceOf(answer), { name, vm_uuid, collected_at: collected_at ?? undefined }),
        'application/json',
      ),
    policy: () => saveFile(files.policy, policyFile(policy), 'application/json'),
  };
  return (
    <Panel title="Verify without this console">
      <Text>
        The evidence file contains everything the checks need. The policy contains the expected values: review
        it first, or write your own. The command is part of the Teehouse source and works offline. Add
        --kms-root to pin the KMS root key you got from the operator.
      </Text>
      <Buttons>
        <Button variant="outlined" onClick={save.evidence}>
          Download evidence
        </Button>
        <Button variant="outlined" onClick={save.policy}>
          Download policy
        </Button>
      </Buttons>
      <CodeBlock title="Verify on your own machine" code={attestCommand(answer)} />
    </Panel>
  );
}
