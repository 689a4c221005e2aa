import styled from '@emotion/styled';
import { refusalText, type BootDoubt, type BootVerb } from '../../lib/kms/bootOutlook';
import { counted } from '../../lib/texts/count';
import { Notice } from '../feedback/Notice';
import { TextLink } from '../link';
import { color, space, type } from '../theme';

const Stack = styled('div')({ display: 'grid', gap: space(2) });
const Text = styled('p')({ ...type.small, color: color.muted });
const Lines = styled('ul')({ paddingLeft: space(4), listStyle: 'disc' });

/** Lines of a list of CVMs; the rest is counted. */
const MOST_LINES = 5;

/** Before something that boots CVMs: which of them wouldn't get their keys as their contract is now. */
export function BootWarning({
  checking,
  doubts,
  verb,
}: {
  checking: boolean;
  doubts: readonly BootDoubt[];
  verb: BootVerb;
}) {
  const refused = doubts.filter(({ outlook }) => outlook.state === 'refused');
  const unknown = doubts.filter(({ outlook }) => outlook.state === 'unknown');
  return (
    <Stack role="status">
      {checking && <Text>Reading the app’s contract…</Text>}
      {!checking && doubts.length === 0 && <Text>The app’s contract allows this boot now.</Text>}
      {refused.length > 0 && (
        <Notice tone="error" title="The contract refuses this boot.">
          <Doubts doubts={refused} verb={verb} />
        </Notice>
      )}
      {unknown.length > 0 && (
        <Notice tone="attention" title="The contract can’t be read.">
          <Doubts doubts={unknown} verb={verb} />
        </Notice>
      )}
    </Stack>
  );
}

function Doubts({ doubts, verb }: { doubts: readonly BootDoubt[]; verb: BootVerb }) {
  const [first] = doubts;
  if (doubts.length === 1 && first) return <Doubt doubt={first} verb={verb} />;
  return (
    <Lines>
      {doubts.slice(0, MOST_LINES).map((doubt) => (
        <li key={doubt.id}>
          {doubt.name}: <Doubt doubt={doubt} verb={verb} />
        </li>
      ))}
      {doubts.length > MOST_LINES && (
        <li>and {counted(doubts.length - MOST_LINES, ['other CVM', 'other CVMs'])}</li>
      )}
    </Lines>
  );
}

function Doubt({ doubt: { outlook, href }, verb }: { doubt: BootDoubt; verb: BootVerb }) {
  return (
    <>
      {outlook.state === 'refused'
        ? refusalText(outlook, verb)
        : `${outlook.reason} Without the contract’s permission, the CVM gets no keys and won’t boot.`}{' '}
      {href !== null && <TextLink href={href}>Open the KMS tab</TextLink>}
    </>
  );
}
