import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { CreatedApiToken } from '../../../generated/api/types.gen';
import { useSession } from '../../api/session';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { Notice } from '../../ui/feedback/Notice';
import { color, space, type } from '../../ui/theme';
import { snippets } from './snippets';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted });
const Row = styled('div')({ display: 'flex', justifyContent: 'flex-end' });

/** The token and how to use it. It closes by its one button, so that no stray click loses the token. */
export function TokenShown({ created, onDone }: { created: CreatedApiToken; onDone: () => void }) {
  const { environment } = useSession();
  const { token, api_token } = created;
  const { login, curl } = snippets(environment.public_url, token);
  return (
    <Stack>
      <Notice tone="attention" title="It is shown this once.">
        Put it where your program finds it, and nowhere else. Lost? Revoke it and make a new one.
      </Notice>
      <CodeBlock code={token} title={api_token.name} />
      <CodeBlock code={login} title="With the command line" />
      <CodeBlock code={curl} title="With curl" />
      <Text>
        {api_token.expires_at === null ? (
          'It works until it is revoked.'
        ) : (
          <>
            It expires <RelativeTime at={api_token.expires_at} />.
          </>
        )}
      </Text>
      <Row>
        <Button variant="contained" color="primary" onClick={onDone}>
          I have copied it
        </Button>
      </Row>
    </Stack>
  );
}
