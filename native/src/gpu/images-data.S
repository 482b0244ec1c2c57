// The files of native/images, each between two labels; a zero terminates PTX text.
#if defined(__ELF__)
.section .note.GNU-stack, "", %progbits
#endif
.section .rodata
.macro image name, file
.balign 64
.global gpumark_image_\name
gpumark_image_\name:
.incbin "\file"
.global gpumark_image_end_\name
gpumark_image_end_\name:
.byte 0
.endm

image sm_75, sm_75.cubin
image sm_80, sm_80.cubin
image sm_86, sm_86.cubin
image sm_89, sm_89.cubin
image sm_90, sm_90.cubin
image sm_100, sm_100.cubin
image sm_103, sm_103.cubin
image sm_120, sm_120.cubin
image sm_60, sm_60.ptx
image gfx90a, gfx90a.hsaco
image gfx942, gfx942.hsaco
image gfx950, gfx950.hsaco
image gfx1030, gfx1030.hsaco
image gfx1100, gfx1100.hsaco
image gfx1101, gfx1101.hsaco
image gfx1200, gfx1200.hsaco
image gfx1201, gfx1201.hsaco
image matrix_sm_75, matrix-sm_75.cubin
image matrix_sm_80, matrix-sm_80.cubin
image matrix_sm_89, matrix-sm_89.cubin
image matrix_sm_90a, matrix-sm_90a.cubin
image matrix_sm_100a, matrix-sm_100a.cubin
image matrix_sm_103a, matrix-sm_103a.cubin
image matrix_sm_120a, matrix-sm_120a.cubin
image matrix_sm_121a, matrix-sm_121a.cubin
image matrix_ptx_75, matrix-sm_75.ptx
image matrix_ptx_80, matrix-sm_80.ptx
image matrix_ptx_89, matrix-sm_89.ptx
image matrix_ptx_90a, matrix-sm_90a.ptx
image matrix_ptx_100a, matrix-sm_100a.ptx
image matrix_ptx_103a, matrix-sm_103a.ptx
image matrix_ptx_120a, matrix-sm_120a.ptx
image matrix_ptx_121a, matrix-sm_121a.ptx
image matrix_gfx90a, matrix-gfx90a.hsaco
image matrix_gfx942, matrix-gfx942.hsaco
image matrix_gfx950, matrix-gfx950.hsaco
image matrix_gfx1100, matrix-gfx1100.hsaco
image matrix_gfx1101, matrix-gfx1101.hsaco
image matrix_gfx1200, matrix-gfx1200.hsaco
image matrix_gfx1201, matrix-gfx1201.hsaco
