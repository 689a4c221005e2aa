import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import type { CreatedApiToken } from '../../../../generated/api/types.gen';
import { useSession } from '../../../api/session';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { Notice } from '../../../ui/feedback/Notice';
import { color, space, type } from '../../../ui/theme';
import { snippets } from './snippets';
import { DialogActions } from '../../../ui/forms/DialogActions';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Text = styled('p')({ ...type.body, color: color.muted });

/** The new token and how to use it. Closes only through its button, so no stray click loses the token. */
export function TokenShown({ created, onDone }: { created: CreatedApiToken; onDone: () => void }) {
  const { environment } = useSession();
  const { token, api_token } = created;
  const { login, curl } = snippets(environment.public_url, token);
  return (
    <Stack>
      <Notice tone="attention" title="This token is shown only once.">
        Store it where your program can read it. If you lose it, revoke it and create a new one.
      </Notice>
      <CodeBlock code={token} title={api_token.name} />
      <CodeBlock code={login} title="With the command line" />
      <CodeBlock code={curl} title="With curl" />
      <Text>
        {api_token.expires_at === null ? (
          'It doesn’t expire.'
        ) : (
          <>
            It expires <RelativeTime at={api_token.expires_at} />.
          </>
        )}
      </Text>
      <DialogActions>
        <Button variant="contained" onClick={onDone}>
          I’ve copied it
        </Button>
      </DialogActions>
    </Stack>
  );
}
