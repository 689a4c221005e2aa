import { brandName } from './installation';
import styled from '@emotion/styled';
import { color, space } from '../theme';

/** The logo: a roof over a keyhole, for a house that keeps its contents private. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="7" fill={color.accent} />
      <path
        d="M4.6 15.2 16 6.4l11.4 8.8"
        fill="none"
        stroke={color.onAccent}
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path
        fill={color.onAccent}
        d="M16 14.2a3.7 3.7 0 0 1 1.9 6.87l1.15 4.43a.9.9 0 0 1-.87 1.1h-4.36a.9.9 0 0 1-.87-1.1l1.15-4.43A3.7 3.7 0 0 1 16 14.2Z"
      />
    </svg>
  );
}

const Row = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(2),
  color: color.text,
  fontWeight: 640,
  letterSpacing: '-0.02em',
});

/** This installation's logo and name. */
export function Wordmark({ size = 24 }: { size?: number }) {
  return (
    <Row style={{ fontSize: size * 0.67 }}>
      <Mark size={size} />
      {brandName()}
    </Row>
  );
}
