import { BarChart, BoxplotChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { EChartsOption } from 'echarts';

use([BarChart, BoxplotChart, LineChart, ScatterChart, GridComponent, LegendComponent, MarkLineComponent, SVGRenderer]);

/** A chart as an SVG document of `width` x `height` px, without a browser. Equal options give equal text. */
export function renderSvg(option: EChartsOption, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(option);
    return renumbered(chart.renderToSVGString());
  } finally {
    chart.dispose();
  }
}

/** ECharts numbers charts and classes per process, which would make equal charts differ: count from 0 in each. */
function renumbered(svg: string): string {
  const numbers = new Map<string, number>();
  return svg.replaceAll(/zr\d+-([a-z]+-?)\d+/g, (name: string, kind: string) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return `zr-${kind}${number}`;
  });
}
