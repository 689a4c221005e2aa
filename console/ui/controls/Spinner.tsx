import { keyframes } from '@emotion/react';
import styled from '@emotion/styled';

const turn = keyframes({ to: { transform: 'rotate(360deg)' } });

const Turning = styled('svg')({ animation: `${turn} 900ms linear infinite`, flex: 'none' });

/** Indicates work in progress. Static with reduced motion, because the text beside it says the same. */
export function Spinner({ size = 14 }: { size?: number | string }) {
  return (
    <Turning
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden
    >
      <circle cx="8" cy="8" r="6" opacity="0.28" />
      <path d="M14 8a6 6 0 0 0-6-6" strokeLinecap="round" />
    </Turning>
  );
}
