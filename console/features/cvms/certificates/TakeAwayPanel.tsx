import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { CvmEvidence } from '../../../../generated/api/types.gen';
import { evidenceBundle } from '../../../lib/attestation/evidenceBundle';
import { policyFile } from '../../../lib/attestation/policyFile';
import type { Policy } from '../../../lib/attestation/types';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { saveFile } from '../../../ui/controls/saveFile';
import { Panel } from '../../../ui/layout/Panel';
import { space, type } from '../../../ui/theme';

const Buttons = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(3), margin: `${space(3)} 0` });
const Text = styled('p')({ ...type.body, maxWidth: '72ch' });

/** The same verifier runs as a command, on a machine of one's own, with this console switched off. */
export function TakeAwayPanel({ answer, policy }: { answer: CvmEvidence; policy: Policy }) {
  const { evidence, name, vm_uuid, collected_at } = answer;
  if (!evidence) return null;
  const files = { evidence: `${name}.evidence.json`, policy: `${name}.policy.json` };
  const at = answer.source === 'kept' && collected_at !== null ? ` --at ${collected_at}` : '';
  const save = {
    evidence: () =>
      saveFile(
        files.evidence,
        evidenceBundle(evidence, { name, vm_uuid, collected_at: collected_at ?? undefined }),
        'application/json',
      ),
    policy: () => saveFile(files.policy, policyFile(policy), 'application/json'),
  };
  return (
    <Panel title="Verify without this console">
      <Text>
        The evidence holds all that the checks need. The policy is what it is compared with: read it before
        you use it, or write your own. The command is part of Teehouse’s source and asks no network and no
        server.
      </Text>
      <Buttons>
        <Button variant="outlined" onClick={save.evidence}>
          Download evidence
        </Button>
        <Button variant="outlined" onClick={save.policy}>
          Download policy
        </Button>
      </Buttons>
      <CodeBlock
        title="On a machine of your own"
        code={`npm run -s teehouse -- attest ${files.evidence} --policy ${files.policy}${at}`}
      />
    </Panel>
  );
}
