import { ascending, higherQuantile } from '../../figures/statistics.ts';
import { designOf, termsOf, type Design, predictLog, type Coefficients } from './design.ts';
import { fit, type Fitted } from './fit.ts';
import { sellerShares } from './seller-shares.ts';
import { voteKey, type Vote } from './vote.ts';

/** How far one vote of a provider is from its prediction by the other providers' prices. */
export interface Residual {
  provider: string;
  product: string;
  chip: string;
  price_type: number;
  sellers: string;
  day: string;
  /** USD: the median over its countries, the upper one of two middle prices */
  price: number;
  /** log price minus log prediction, the mean over its countries, with the kind of provider known */
  known: number;
  /** the same with the kind of provider unknown */
  any: number;
  /** weight of the vote in the fit */
  weight: number;
}

export const coefficientsOf = ({ columns }: Design, { coefficients }: Fitted): Coefficients =>
  new Map(columns.map((name, at) => [name, coefficients[at] ?? 0]));

/** Signed residuals of every provider's votes from a model fitted to all other providers, one provider at a time. */
export function* leaveOut(votes: readonly Vote[], asOf: string): Generator<Residual[]> {
  const design = designOf(votes, asOf);
  const whole = fit(design);
  const providers = [...new Set(votes.map(({ provider }) => provider))].toSorted();
  for (const provider of providers) {
    const others = votes.filter((vote) => vote.provider !== provider);
    if (others.length === 0) continue;
    // The weights of the whole fit are close to those without this provider, whose own rows are skipped.
    const coefficients = coefficientsOf(design, fit(design, { without: provider, robust: whole.robust }));
    const sharesOf = sellerShares(others);
    const own = votes.flatMap((vote, at) =>
      vote.provider === provider ? [{ vote, weight: design.rows[at]?.weight ?? 0 }] : [],
    );
    yield [...Map.groupBy(own, ({ vote }) => voteKey(vote)).values()].map((of): Residual => {
      const [{ vote: first } = null as never] = of;
      const left = (shares: (vote: Vote) => Record<string, number>): number =>
        of.reduce((sum, { vote }) => {
          const terms = { ...termsOf(vote, asOf), sellers: shares(vote) };
          return sum + Math.log(vote.price) - predictLog(coefficients, terms);
        }, 0) / of.length;
      return {
        provider,
        product: first.product,
        chip: first.chip,
        price_type: first.price_type,
        sellers: first.sellers,
        day: of.reduce((newest, { vote }) => (vote.day > newest ? vote.day : newest), first.day),
        price: higherQuantile(ascending(of.map(({ vote }) => vote.price)), 0.5),
        known: left((vote) => ({ [vote.sellers]: 1 })),
        any: left(sharesOf),
        weight: of.reduce((sum, { weight }) => sum + weight, 0),
      };
    });
  }
}
