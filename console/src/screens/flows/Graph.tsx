import "@xyflow/react/dist/style.css";
import { Group, Paper, Text, useComputedColorScheme } from "@mantine/core";
import { Controls, type Edge, Handle, MarkerType, type Node, type NodeProps, Position, ReactFlow } from "@xyflow/react";
import { useMemo } from "react";
import { Status } from "../../shared/parts";
import type { Phase } from "./graph";

type PhaseNode = Node<{ phase: Phase; states: Map<string, string> }, "phase">;
const WIDTH = 270;
const NODE_TYPES = { phase: PhaseBox };

export default function Graph({ phases, states }: { phases: Phase[]; states: Map<string, string> }) {
  const scheme = useComputedColorScheme("light");
  const nodes = useMemo(() => place(phases, states), [phases, states]);
  const edges = useMemo(() => phases.flatMap(toEdges), [phases]);
  return (
    <div className="flow" role="group" aria-label={`Graph of ${phases.length} phases`}>
      <ReactFlow nodes={nodes} edges={edges} nodeTypes={NODE_TYPES} colorMode={scheme} nodesDraggable={false} nodesConnectable={false} nodesFocusable={false} edgesFocusable={false} fitView fitViewOptions={{ maxZoom: 1 }}>
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

function PhaseBox({ data: { phase, states } }: NodeProps<PhaseNode>) {
  return (
    <Paper withBorder p="sm" w={WIDTH} shadow="xs">
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Text fw={600} size="sm" mb={6} className="wrap">{phase.name}</Text>
      {phase.tasks.map((task) => (
        <Group key={task.id} justify="space-between" wrap="nowrap" gap="xs" mb={4}>
          <div style={{ minWidth: 0 }}>
            <Text size="sm" className="cut" td={task.isOff ? "line-through" : undefined}>{task.name}</Text>
            <Text size="xs" c="dimmed" className="cut">{task.target}</Text>
          </div>
          {states.has(task.id) && <Status of={states.get(task.id)!} />}
        </Group>
      ))}
      {phase.tasks.length === 0 && <Text size="xs" c="dimmed">no tasks</Text>}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </Paper>
  );
}

function place(phases: Phase[], states: Map<string, string>): PhaseNode[] {
  const heights = new Map<number, number>();
  return phases.map((phase) => {
    const y = heights.get(phase.level) ?? 0;
    heights.set(phase.level, y + 80 + Math.max(1, phase.tasks.length) * 46);
    return { id: phase.id, type: "phase", position: { x: phase.level * (WIDTH + 90), y }, data: { phase, states } };
  });
}

const toEdges = (phase: Phase): Edge[] =>
  phase.next.map(({ to, label }, at) => ({ id: `${phase.id} ${to} ${at}`, source: phase.id, target: to, label, markerEnd: { type: MarkerType.ArrowClosed } }));
