import styled from '@emotion/styled';
import { refusalText, type BootRisk, type BootVerb } from '../../lib/kms/bootDecision';
import { counted } from '../../lib/texts/count';
import { Notice } from '../feedback/Notice';
import { TextLink } from '../link';
import { color, space, type } from '../theme';

const Stack = styled('div')({ display: 'grid', gap: space(2) });
const Text = styled('p')({ ...type.small, color: color.muted });
const Lines = styled('ul')({ paddingLeft: space(4), listStyle: 'disc' });

const KEEPS_RUNNING =
  'Nothing happens without the contract’s permission. If the CVM is running, it keeps running.';
const UNREAD: Readonly<Record<BootVerb, string>> = {
  start: 'Without the contract’s permission, the CVM gets no keys and won’t boot.',
  restart: KEEPS_RUNNING,
  resize: KEEPS_RUNNING,
};

/** Maximum CVMs listed; the rest are counted. */
const MAX_LINES = 5;

/** Shown before an action that boots CVMs: those that wouldn't get their keys under the current contract. */
export function BootWarning({
  checking,
  risks,
  verb,
}: {
  checking: boolean;
  risks: readonly BootRisk[];
  verb: BootVerb;
}) {
  const refused = risks.filter(({ decision }) => decision.state === 'refused');
  const unknown = risks.filter(({ decision }) => decision.state === 'unknown');
  return (
    <Stack role="status">
      {checking && <Text>Reading the app’s contract…</Text>}
      {!checking && risks.length === 0 && <Text>The app’s contract allows this boot now.</Text>}
      {refused.length > 0 && (
        <Notice
          tone="error"
          title={
            refused.length === 1
              ? 'The contract refuses this boot.'
              : `The contract refuses ${refused.length} boots.`
          }
        >
          <Risks risks={refused} verb={verb} />
        </Notice>
      )}
      {unknown.length > 0 && (
        <Notice tone="attention" title="The contract can’t be read.">
          <Risks risks={unknown} verb={verb} />
        </Notice>
      )}
    </Stack>
  );
}

function Risks({ risks, verb }: { risks: readonly BootRisk[]; verb: BootVerb }) {
  const [first] = risks;
  if (risks.length === 1 && first) return <Risk risk={first} verb={verb} />;
  return (
    <Lines>
      {risks.slice(0, MAX_LINES).map((risk) => (
        <li key={risk.id}>
          {risk.name}: <Risk risk={risk} verb={verb} />
        </li>
      ))}
      {risks.length > MAX_LINES && (
        <li>and {counted(risks.length - MAX_LINES, ['other CVM', 'other CVMs'])}</li>
      )}
    </Lines>
  );
}

function Risk({ risk: { decision, href }, verb }: { risk: BootRisk; verb: BootVerb }) {
  return (
    <>
      {decision.state === 'refused' ? refusalText(decision, verb) : `${decision.reason} ${UNREAD[verb]}`}{' '}
      {href !== null && <TextLink href={href}>Open the KMS tab</TextLink>}
    </>
  );
}
