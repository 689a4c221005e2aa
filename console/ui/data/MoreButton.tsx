import styled from '@emotion/styled';
import { PendingButton } from '../controls/PendingButton';
import { space } from '../theme';
import { useFocusBefore } from '../useFocusBefore';

const Below = styled('div')({ marginTop: space(3) });

export interface More {
  /** An infinite query. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  /** `Show older` for lists ordered by time. */
  label?: 'Show older' | 'Show more' | 'Show more members' | 'Search older events';
}

interface Props extends More {
  /** Beside other content, without a top margin. */
  inline?: boolean;
}

/** Loads a list's next page. Renders nothing on the last one. */
export function MoreButton({ list, label = 'Show older', inline = false }: Props) {
  if (!list.hasNextPage) return null;
  const button = <NextPageButton list={list} label={label} />;
  return inline ? button : <Below>{button}</Below>;
}

function NextPageButton({ list, label }: Required<More>) {
  const ref = useFocusBefore();
  return (
    <PendingButton
      ref={ref}
      size="small"
      pending={list.isFetchingNextPage}
      onClick={() => list.fetchNextPage()}
    >
      {label}
    </PendingButton>
  );
}
