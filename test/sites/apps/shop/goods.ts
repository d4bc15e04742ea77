export interface Product {
  slug: string;
  name: string;
  kind: 'tea' | 'coffee' | 'pottery';
  /** Price in cents. */
  price: number;
  stock: number;
  text: string;
}

const names: Record<Product['kind'], string[]> = {
  tea: [
    'Green Sencha',
    'Earl Grey',
    'Mountain Oolong',
    'Peppermint',
    'Rooibos',
    'White Peony',
    'Lapsang',
    'Chai Blend',
  ],
  coffee: ['House Roast', 'Dark Roast', 'Ethiopia Natural', 'Decaf', 'Espresso Blend', 'Colombia Washed'],
  pottery: ['Stone Mug', 'Tea Bowl', 'Small Pot', 'Large Pot', 'Milk Jug', 'Serving Plate'],
};

export const products: readonly Product[] = (['tea', 'coffee', 'pottery'] as const).flatMap((kind, group) =>
  names[kind].map((name, index) => ({
    slug: name.toLowerCase().replaceAll(' ', '-'),
    name,
    kind,
    price: 490 + group * 700 + ((index * 370) % 1900),
    stock: (index * 3 + group) % 7,
    text: `${name} is one of our most asked-for articles. We send it on the day of your order.`,
  })),
);

export function findProduct(slug: string | undefined): Product | undefined {
  return products.find((product) => product.slug === slug);
}

export function money(cents: number): string {
  return `€${(cents / 100).toFixed(2)}`;
}
