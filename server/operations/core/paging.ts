/** Page numbers, as the published clients send them. */
export interface PageQuery {
  page?: number;
  page_size?: number;
}

export const offsetOf = ({ page = 1, page_size = 20 }: PageQuery) => ({
  limit: page_size,
  offset: (page - 1) * page_size,
});

export const pageOut = <T>(items: T[], total: number, { page = 1, page_size = 20 }: PageQuery) => ({
  items,
  total,
  page,
  page_size,
  pages: Math.ceil(total / page_size),
});
