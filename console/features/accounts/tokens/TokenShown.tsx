import styled from '@emotion/styled';
import type { CreatedApiToken } from '../../../../generated/api/types.gen';
import { useSession } from '../../../api/session';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ShownOnce } from '../../../ui/forms/ShownOnce';
import { color, type } from '../../../ui/theme';
import { snippets } from './snippets';

const Text = styled('p')({ ...type.body, color: color.muted });

/** The new token and how to use it. */
export function TokenShown({ created, onDone }: { created: CreatedApiToken; onDone: () => void }) {
  const { environment } = useSession();
  const { token, api_token } = created;
  const { login, curl } = snippets(environment.public_url, token);
  return (
    <ShownOnce
      notice={{
        title: 'This token is shown only once.',
        text: 'Store it where your program can read it. If you lose it, revoke it and create a new one.',
      }}
      codes={[
        { title: api_token.name, code: token },
        { title: 'With the command line', code: login },
        { title: 'With curl', code: curl },
      ]}
      onDone={onDone}
    >
      <Text>
        {api_token.expires_at === null ? (
          'It doesn’t expire.'
        ) : (
          <>
            It expires <RelativeTime at={api_token.expires_at} inWords />.
          </>
        )}
      </Text>
    </ShownOnce>
  );
}
