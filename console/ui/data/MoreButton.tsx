import styled from '@emotion/styled';
import { Button } from '../controls/Button';
import { Spinner } from '../controls/Spinner';
import { space } from '../theme';

const Below = styled('div')({ marginTop: space(3) });

interface Props {
  /** An infinite query. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  /** `Show older` for lists ordered by time. */
  label?: 'Show older' | 'Show more' | 'Show more members' | 'Search older events';
  /** Beside other content, without a top margin. */
  inline?: boolean;
}

/** Loads a list's next page. Renders nothing on the last one. */
export function MoreButton({ list, label = 'Show older', inline = false }: Props) {
  if (!list.hasNextPage) return null;
  const button = (
    <Button
      size="small"
      startIcon={list.isFetchingNextPage ? <Spinner /> : undefined}
      disabled={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {label}
    </Button>
  );
  return inline ? button : <Below>{button}</Below>;
}
